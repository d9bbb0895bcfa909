import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readJsonFile, writeJsonFile } from '../files/json-file.js';
import { findFreePort, isPortFree } from '../ports/free-port.js';
import { endProcess } from '../processes/end-process.js';
import type { ProcessIdentity } from '../processes/identity.js';
import type { MongodBinary } from './find.js';
import { endLeftOverMongod } from './left-over.js';
import { movePort } from './move-port.js';
import { ensureReplicaSet, REPLICA_SET } from './replica-set.js';
import {
  describeExit,
  type MongodExit,
  type SpawnedMongod,
  type SpawnMongodOptions,
  spawnMongod,
  waitForPort,
} from './spawn.js';

export interface StartMongodOptions {
  readonly binary: MongodBinary;
  /** Holds `mongodb/` (the data), `mongod.json` (port and version) and `logs/mongod.log`. */
  readonly dataDir: string;
  /** A fixed port; without it the kept one, or a free one. */
  readonly port?: number | undefined;
  /** Takes one line at a time about what is out of the ordinary. */
  readonly log: (line: string) => void;
  /** Told the process before it is ready. */
  readonly onSpawn?: (spawned: SpawnedMongod) => void;
}

export interface RunningMongod {
  readonly uri: string;
  readonly port: number;
  readonly identity: ProcessIdentity;
  readonly exited: Promise<MongodExit>;
  /** Ends it cleanly (SIGTERM, by pid) and resolves when it is gone. */
  readonly stop: () => Promise<void>;
}

/** What `mongod.json` keeps between starts. */
export interface KeptMongod {
  /** Absent while it is being changed. */
  readonly port?: number;
  /** The MongoDB that wrote the data. */
  readonly version: string;
}

/** Reads what an earlier start kept; undefined for new data. */
export function keptMongod(dataDir: string): KeptMongod | undefined {
  const kept = readJsonFile(join(dataDir, 'mongod.json')) as Partial<KeptMongod> | undefined;
  if (typeof kept?.version !== 'string') return undefined;
  return typeof kept.port === 'number' ? { port: kept.port, version: kept.version } : { version: kept.version };
}

/** Recovery after a crash counts too. */
const READY_WITHIN_MS = 120_000;

/**
 * Starts mongod as a replica set of one on the data below `dataDir` and returns once it accepts writes.
 * If somebody else has the kept port, it moves to another. @throws Error that says why it did not come up
 */
export async function startMongod(options: StartMongodOptions): Promise<RunningMongod> {
  const dataDir = resolve(options.dataDir);
  const dbPath = join(dataDir, 'mongodb');
  mkdirSync(dataDir, { recursive: true });
  await endLeftOverMongod(dbPath, options.log);
  const kept = keptMongod(dataDir);
  const port = await choosePort(options, kept?.port);
  const program: SpawnMongodOptions = {
    binary: options.binary.path,
    dbPath,
    port,
    logFile: join(dataDir, 'logs', 'mongod.log'),
  };
  if (port !== kept?.port) {
    if (kept !== undefined) keep(dataDir, { version: kept.version });
    await movePort(program);
  }
  const spawned = await spawnMongod({ ...program, replSet: REPLICA_SET });
  options.onSpawn?.(spawned);
  const stop = async (): Promise<void> => {
    await endProcess(spawned.identity, { graceMs: 30_000 });
    await spawned.exited;
  };
  try {
    await becomePrimary(spawned, port);
  } catch (error) {
    await stop();
    throw error;
  }
  keep(dataDir, { port, version: options.binary.version });
  const uri = `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`;
  return { uri, port, identity: spawned.identity, exited: spawned.exited, stop };
}

function keep(dataDir: string, kept: KeptMongod): void {
  writeJsonFile(join(dataDir, 'mongod.json'), kept);
}

async function choosePort({ port, log }: StartMongodOptions, kept: number | undefined): Promise<number> {
  if (port !== undefined) {
    if (await isPortFree(port)) return port;
    throw new Error(`Port ${port}, configured for MongoDB, is taken by another process.`);
  }
  if (kept !== undefined) {
    if (await isPortFree(kept)) return kept;
    log(`another process has port ${kept}, MongoDB moves to a free one`);
  }
  return findFreePort();
}

async function becomePrimary(spawned: SpawnedMongod, port: number): Promise<void> {
  const tooLate = AbortSignal.timeout(READY_WITHIN_MS);
  try {
    if (await waitForPort(port, spawned)) {
      await ensureReplicaSet(port, tooLate);
      return;
    }
  } catch (error) {
    if (spawned.exit() === undefined) {
      const late = `mongod accepted no writes within ${READY_WITHIN_MS / 1_000} s.`;
      throw tooLate.aborted ? new Error(late, { cause: error }) : error;
    }
  }
  throw new Error(describeExit(await spawned.exited));
}
