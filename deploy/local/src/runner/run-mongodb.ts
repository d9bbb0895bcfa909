import { findMongodBinary } from '../mongod/find.js';
import { readMongodState } from '../mongod/start.js';
import type { Fleet } from './fleet.js';
import { launchMongod } from './launch.js';

export interface RunMongodbOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly port: number | undefined;
  readonly fleet: Fleet;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

const graceMs = 60_000;

/** Returns the address of the operator's MongoDB, or finds and runs one. */
export async function runMongodb({ env, dataDir, port, fleet, log, signal }: RunMongodbOptions): Promise<string> {
  if (env.MONGODB_URI) {
    log('MONGODB_URI is used, none is started');
    return env.MONGODB_URI;
  }
  const binary = await findMongodBinary({ env, log, signal, dataVersion: readMongodState(dataDir)?.version });
  signal.throwIfAborted();
  let running: { uri: string; port: number } | undefined;
  // The services have its address from now on, so mongod must restart on the same port.
  const launch = () =>
    launchMongod({ binary, dataDir, log, port: running?.port ?? port }, (mongod) => {
      running = mongod;
    });
  await fleet.keep('mongod', launch, graceMs).answering;
  if (running === undefined) throw new Error('mongod answers, but its address is not known.');
  log(`${binary.version}, ${binary.source}`);
  return running.uri;
}
