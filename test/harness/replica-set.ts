import { once } from 'node:events';
import type { MongodBinary } from '@knowledge/local/mongod';
import { MongoClient } from 'mongodb';
import { MongoMemoryReplSet, type MongoMemoryServer } from 'mongodb-memory-server-core';
import { until } from './until.js';

/** Options of a replica set for tests. */
export interface ReplicaSetOptions {
  readonly binary: MongodBinary;
  /** The time after which secondaries elect a new primary (default 1 s). The heartbeat interval is a quarter of it. */
  readonly electionTimeoutMillis?: number;
  /** The size of the cache of each member (default 0.25). */
  readonly cacheGigabytes?: number;
  /** Further `--setParameter` options, such as `ttlMonitorSleepSecs`. */
  readonly parameters?: Readonly<Record<string, number>>;
}

/** One mongod process of a replica set. */
export interface ReplicaSetMember {
  readonly pid: number;
  /** Kills the process and waits until it has ended. */
  kill(): Promise<void>;
}

/** A replica set on free ports, with temporary data. */
export interface RunningReplicaSet {
  readonly uri: string;
  readonly members: readonly ReplicaSetMember[];
  /** Waits until a member is the primary, and returns it. */
  primary(): Promise<ReplicaSetMember>;
  /** Ends all members and deletes their data. */
  stop(): Promise<void>;
}

/** Starts a replica set of `count` members and waits until it accepts writes. The members end with this process. */
export async function startReplicaSet(count: number, options: ReplicaSetOptions): Promise<RunningReplicaSet> {
  const { binary, electionTimeoutMillis = 1_000, cacheGigabytes = 0.25, parameters = {} } = options;
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] = 'false';
  const all = { diagnosticDataCollectionEnabled: false, ...parameters };
  const heartbeatIntervalMillis = Math.max(50, Math.round(electionTimeoutMillis / 4));
  const set = await MongoMemoryReplSet.create({
    binary: { systemBinary: binary.path },
    replSet: {
      name: 'rs0',
      count,
      storageEngine: 'wiredTiger',
      configSettings: { electionTimeoutMillis, heartbeatIntervalMillis },
      args: [
        ...['--nounixsocket', '--oplogSize', '128', '--wiredTigerCacheSizeGB', `${cacheGigabytes}`],
        ...Object.entries(all).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`]),
      ],
    },
    instanceOpts: Array.from({ length: count }, () => ({ launchTimeout: 60_000 })),
  });
  const members = set.servers.map(memberOf);
  const hosts = set.servers.map((server) => `127.0.0.1:${portOf(server)}`);
  return {
    uri: `mongodb://${hosts.join(',')}/?replicaSet=rs0`,
    members,
    primary: () =>
      until('a primary', async () => members[(await Promise.all(set.servers.map(isPrimary))).indexOf(true)], 60_000),
    stop: async () => {
      await set.stop({ doCleanup: true, force: true });
    },
  };
}

function memberOf(server: MongoMemoryServer): ReplicaSetMember {
  const child = server.instanceInfo?.instance.mongodProcess;
  if (child?.pid === undefined) throw new Error('A member of the replica set has no process.');
  return {
    pid: child.pid,
    kill: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function isPrimary(server: MongoMemoryServer): Promise<boolean> {
  const uri = `mongodb://127.0.0.1:${portOf(server)}/?directConnection=true`;
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 1_000, socketTimeoutMS: 2_000 });
  try {
    return (await client.db('admin').command({ hello: 1 })).isWritablePrimary === true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}

function portOf(server: MongoMemoryServer): number {
  return server.instanceInfo?.port ?? 0;
}
