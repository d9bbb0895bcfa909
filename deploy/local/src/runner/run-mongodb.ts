import { findMongodBinary } from '../mongod/find.js';
import { keptMongod } from '../mongod/start.js';
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

const GRACE_MS = 60_000;

/** Gives the address of a MongoDB that accepts writes: the operator's, or one that is found and kept running. */
export async function runMongodb({ env, dataDir, port, fleet, log, signal }: RunMongodbOptions): Promise<string> {
  if (env.MONGODB_URI) {
    log('MONGODB_URI is used, none is started');
    return env.MONGODB_URI;
  }
  const binary = await findMongodBinary({ env, log, signal, dataVersion: keptMongod(dataDir)?.version });
  signal.throwIfAborted();
  let running: { uri: string; port: number } | undefined;
  // Once the others have its address it may not move, whoever takes its port while it is down.
  const launch = () =>
    launchMongod({ binary, dataDir, log, port: running?.port ?? port }, (mongod) => {
      running = mongod;
    });
  await fleet.keep('mongod', launch, GRACE_MS).answering;
  if (running === undefined) throw new Error('mongod answers, but its address is not known.');
  log(`${binary.version}, ${binary.source}`);
  return running.uri;
}
