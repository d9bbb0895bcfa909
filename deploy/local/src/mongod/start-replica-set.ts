import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../ports/free-port.js';
import { endProcess, signalProcess } from '../processes/end-process.js';
import type { MongodBinary } from './find.js';
import { ensureReplicaSet, withDirectClient } from './replica-set.js';
import { describeExit, type SpawnedMongod, spawnMongod, waitForPort } from './spawn.js';

export interface StartReplicaSetOptions {
  readonly binary: MongodBinary;
  readonly replSet?: string;
  /** How long secondaries wait for a lost primary; the heartbeat is a quarter of it. 1 s unless told. */
  readonly electionTimeoutMillis?: number;
  /** More `--setParameter` pairs, such as `ttlMonitorSleepSecs`. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
}

export interface ReplicaSetMember {
  readonly host: string;
  readonly port: number;
  /** Of the process that runs now, or ran last. */
  readonly pid: number;
  /** Sends a signal by pid and, unless it only stops or continues, waits until the process is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on its data and port and waits until it takes connections. */
  restart(): Promise<void>;
}

export interface RunningReplicaSet {
  readonly uri: string;
  readonly members: readonly ReplicaSetMember[];
  /** Waits until one living member is primary and gives it. */
  primary(): Promise<ReplicaSetMember>;
  /** Ends every member at once and deletes their data. */
  stop(): Promise<void>;
}

/** A replica set of `count` plain processes on free ports with throw-away data, for tests. */
export async function startReplicaSet(count: number, options: StartReplicaSetOptions): Promise<RunningReplicaSet> {
  const replSet = options.replSet ?? 'rs0';
  const root = await mkdtemp(join(tmpdir(), 'knowledge-replica-set-'));
  const members: Member[] = [];
  const endWithProcess = (): void => {
    for (const member of members) member.killNow();
  };
  process.once('exit', endWithProcess);
  const stop = async (): Promise<void> => {
    process.off('exit', endWithProcess);
    await Promise.all(members.map((member) => member.kill('SIGKILL')));
    await rm(root, { recursive: true, force: true });
  };
  try {
    const ports = new Set<number>();
    while (ports.size < count) ports.add(await findFreePort(ports));
    for (const port of ports) members.push(createMember(port, join(root, String(port)), replSet, options));
    await Promise.all(members.map((member) => member.restart()));
    await initiate(members, replSet, options.electionTimeoutMillis ?? 1_000);
  } catch (error) {
    await stop();
    throw error;
  }
  const hosts = members.map((member) => member.host).join(',');
  return { uri: `mongodb://${hosts}/?replicaSet=${replSet}`, members, primary: () => findPrimary(members), stop };
}

interface Member extends ReplicaSetMember {
  readonly running: () => boolean;
  /** Without waiting, for the exit of the whole process. */
  readonly killNow: () => void;
}

function createMember(port: number, dir: string, replSet: string, options: StartReplicaSetOptions): Member {
  let spawned: SpawnedMongod | undefined;
  const host = `127.0.0.1:${port}`;
  return {
    host,
    port,
    get pid() {
      return spawned?.identity.pid ?? 0;
    },
    running: () => spawned !== undefined && spawned.exit() === undefined,
    killNow: () => {
      if (spawned !== undefined) signalProcess(spawned.identity, 'SIGKILL');
    },
    kill: async (signal = 'SIGKILL') => {
      if (spawned === undefined) return;
      if (signal === 'SIGSTOP' || signal === 'SIGCONT') {
        signalProcess(spawned.identity, signal);
        return;
      }
      signalProcess(spawned.identity, signal);
      if (signal !== 'SIGKILL') await endProcess(spawned.identity, { graceMs: 30_000 });
      await spawned.exited;
    },
    restart: async () => {
      spawned = await spawnMongod({
        binary: options.binary.path,
        dbPath: join(dir, 'data'),
        port,
        replSet,
        logFile: join(dir, 'mongod.log'),
        cacheSizeGb: 0.25,
        oplogMb: 128,
        ownGroup: false,
        parameters: options.parameters ?? {},
      });
      if (!(await waitForPort(port, spawned))) throw new Error(describeExit(await spawned.exited));
    },
  };
}

async function initiate(members: readonly Member[], replSet: string, electionTimeoutMillis: number): Promise<void> {
  const first = members[0];
  if (first === undefined) throw new RangeError('A replica set has at least one member.');
  await ensureReplicaSet({
    port: first.port,
    replSet,
    hosts: members.map((member) => member.host),
    settings: { electionTimeoutMillis, heartbeatIntervalMillis: Math.max(50, Math.round(electionTimeoutMillis / 4)) },
    signal: AbortSignal.timeout(60_000),
  });
  await findPrimary(members);
  for (const member of members) {
    while (!(await stateOf(member)).settled) await delay(20);
  }
}

async function findPrimary(members: readonly Member[]): Promise<ReplicaSetMember> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    for (const member of members) {
      if (member.running() && (await stateOf(member)).primary) return member;
    }
    await delay(20);
  }
  throw new Error('The replica set had no primary for 60 s.');
}

async function stateOf(member: Member): Promise<{ primary: boolean; settled: boolean }> {
  try {
    const hello = await withDirectClient(member.port, (client) =>
      client.db('admin').command({ hello: 1 }, { timeoutMS: 2_000 }),
    );
    const primary = hello.isWritablePrimary === true;
    return { primary, settled: primary || hello.secondary === true };
  } catch {
    return { primary: false, settled: false };
  }
}
