import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readJsonFile, writeJsonFile } from '../files/json-file.js';
import { findFreePort, isPortFree } from '../ports/free-port.js';
import { endProcess } from '../processes/end-process.js';
import type { ProcessId } from '../processes/process-id.js';
import type { MongodBinary } from './find.js';
import { movePort } from './move-port.js';
import { endOrphanedMongod } from './orphaned-mongod.js';
import { ensureReplicaSet, replicaSetName } from './replica-set.js';
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
  /** Contains `mongodb/` (the data), `mongod.json` (port and version) and `logs/mongod.log`. */
  readonly dataDir: string;
  /** A fixed port; by default the one of the last start, or a free one. */
  readonly port?: number | undefined;
  /** Called with a line about each unusual event. */
  readonly log: (line: string) => void;
  /** Called with the process as soon as it exists, before it is ready. */
  readonly onSpawn?: (spawned: SpawnedMongod) => void;
}

export interface RunningMongod {
  readonly uri: string;
  readonly port: number;
  readonly processId: ProcessId;
  readonly exited: Promise<MongodExit>;
  /** Sends SIGTERM and resolves when the process has ended. */
  readonly stop: () => Promise<void>;
}

/** The content of `mongod.json`, which later starts use. */
export interface MongodState {
  /** Absent while the port is being changed. */
  readonly port?: number;
  /** The MongoDB version that wrote the data. */
  readonly version: string;
}

/** Reads the state that an earlier start wrote; undefined for new data. */
export function readMongodState(dataDir: string): MongodState | undefined {
  const stored = readJsonFile(join(dataDir, 'mongod.json')) as Partial<MongodState> | undefined;
  if (typeof stored?.version !== 'string') return undefined;
  return typeof stored.port === 'number' ? { port: stored.port, version: stored.version } : { version: stored.version };
}

/** Includes the time that MongoDB needs to recover after a crash. */
const readyWithinMs = 120_000;

/**
 * Starts mongod as a replica set with one member on the data in `dataDir`, and waits until it accepts writes.
 * If another program uses the stored port, mongod moves to a free one. @throws Error with the reason of a failed start
 */
export async function startMongod(options: StartMongodOptions): Promise<RunningMongod> {
  const dataDir = resolve(options.dataDir);
  const dbPath = join(dataDir, 'mongodb');
  mkdirSync(dataDir, { recursive: true });
  await endOrphanedMongod(dbPath, options.log);
  const stored = readMongodState(dataDir);
  const port = await choosePort(options, stored?.port);
  const program: SpawnMongodOptions = {
    binary: options.binary.path,
    dbPath,
    port,
    logFile: join(dataDir, 'logs', 'mongod.log'),
  };
  if (port !== stored?.port) {
    if (stored !== undefined) writeMongodState(dataDir, { version: stored.version });
    await movePort(program);
  }
  const spawned = await spawnMongod({ ...program, replSet: replicaSetName });
  options.onSpawn?.(spawned);
  const stop = async (): Promise<void> => {
    await endProcess(spawned.processId, { graceMs: 30_000 });
    await spawned.exited;
  };
  try {
    await becomePrimary(spawned, port);
  } catch (error) {
    await stop();
    throw error;
  }
  writeMongodState(dataDir, { port, version: options.binary.version });
  const uri = `mongodb://127.0.0.1:${port}/?replicaSet=${replicaSetName}`;
  return { uri, port, processId: spawned.processId, exited: spawned.exited, stop };
}

function writeMongodState(dataDir: string, state: MongodState): void {
  writeJsonFile(join(dataDir, 'mongod.json'), state);
}

async function choosePort({ port, log }: StartMongodOptions, stored: number | undefined): Promise<number> {
  if (port !== undefined) {
    if (await isPortFree(port)) return port;
    throw new Error(`Port ${port}, configured for MongoDB, is taken by another process.`);
  }
  if (stored !== undefined) {
    if (await isPortFree(stored)) return stored;
    log(`another process has port ${stored}, MongoDB moves to a free one`);
  }
  return findFreePort();
}

async function becomePrimary(spawned: SpawnedMongod, port: number): Promise<void> {
  const tooLate = AbortSignal.timeout(readyWithinMs);
  try {
    if (await waitForPort(port, spawned)) {
      await ensureReplicaSet(port, tooLate);
      return;
    }
  } catch (error) {
    if (spawned.exit() === undefined) {
      const late = `mongod accepted no writes within ${readyWithinMs / 1_000} s.`;
      throw tooLate.aborted ? new Error(late, { cause: error }) : error;
    }
  }
  throw new Error(describeExit(await spawned.exited));
}
