import {
  type Db,
  MongoClient,
  type MongoClientOptions,
  ReadConcern,
  ReadPreference,
  type ServerHeartbeatSucceededEvent,
  WriteConcern,
} from 'mongodb';
import { ConfigError } from '../config/read-config.js';
import { RemoteClock } from '../deadline.js';
import type { HealthCheck } from '../grpc/health.js';
import type { Logger } from '../log/logger.js';
import { noMetrics } from '../telemetry/metrics.js';
import { isWatched, type Telemetry } from '../telemetry/telemetry.js';
import { watchCursors, watchMongo } from './telemetry.js';

export interface MongoOptions {
  uri: string;
  database: string;
  /** The name that MongoDB shows: a service gives that of its database, by which `restore` finds it. */
  appName: string;
  log: Logger;
  /** Measures commands and the connection pool, if set. */
  telemetry?: Telemetry | undefined;
  /** Options that a caller may change. They do not include the write concern. */
  tuning?: Pick<MongoClientOptions, 'maxPoolSize' | 'socketTimeoutMS' | 'monitorCommands'>;
}

/** A connection to MongoDB that reconnects by itself. */
export interface Mongo {
  readonly client: MongoClient;
  readonly db: Db;
  /** Asks the primary for its time. `serveGrpc` uses it as a health check. */
  readonly check: HealthCheck;
  /** The clock of the primary, by the last checks. Stored times are compared with it, since clocks of replicas differ. */
  readonly clock: RemoteClock;
  /** Rejects with a ConfigError when the servers say that this configuration can never work. Else it never settles. */
  readonly misconfigured: Promise<never>;
  close(): Promise<void>;
}

/** A majority must confirm every write in its journal within 2 s. Otherwise the outcome of the write is unknown. */
export const majorityWrites = { w: 'majority', wtimeoutMS: 2000, journal: true } as const;

/**
 * Connects to MongoDB. Acknowledged writes survive a fail-over, and operations fail fast during an outage
 * (SECURITY.md#database). The client reconnects when the server is back, so it never fails for good. It ignores
 * concerns, read preference and retries in the URI.
 *
 * @throws ConfigError for a URI that the driver refuses.
 */
export function connectMongo({ uri, database, appName, log, telemetry, tuning }: MongoOptions): Mongo {
  // The driver makes two events of every command, which cost time even if nobody reads what is measured.
  const watched = telemetry !== undefined && isWatched(telemetry) ? telemetry : undefined;
  const monitorCommands = watched !== undefined;
  const client = openMongoClient(uri, { ...patience, monitorCommands, ...tuning, ...durability, appName });
  const misconfigured = watchDeployment(client, log);
  if (watched !== undefined) watchMongo(client, watched);
  const db = client.db(database, {
    writeConcern: new WriteConcern('majority', majorityWrites.wtimeoutMS, true),
    readConcern: new ReadConcern('majority'),
    readPreference: ReadPreference.primary,
  });
  watchCursors(db, watched?.metrics ?? noMetrics);
  client.on('serverDescriptionChanged', ({ address, previousDescription, newDescription }) => {
    if (previousDescription.type === newDescription.type) return;
    log.info(
      { server: address, was: previousDescription.type, is: newDescription.type },
      'the state of a MongoDB server changed',
    );
  });
  const insistence = insistOnFirstConnection(client);
  const clock = new RemoteClock();
  const check = async (signal: AbortSignal) => {
    const askedAt = Date.now();
    try {
      const { localTime, lastWrite } = (await db.command({ hello: 1 }, { signal })) as Hello;
      clock.learn(localTime, askedAt);
      requireMajority(lastWrite);
    } catch (error) {
      // After a fail-over the new primary has another clock.
      clock.forget();
      throw error;
    }
  };
  return {
    client,
    db,
    check: { name: 'mongodb', check },
    clock,
    misconfigured,
    close: () => {
      insistence.end();
      return client.close();
    },
  };
}

interface Hello {
  readonly localTime: Date;
  /** Routers have none. */
  readonly lastWrite?: { readonly lastWriteDate: Date; readonly majorityWriteDate?: Date };
}

/** Every write fails after 2 s without a majority, so this is no slow moment. An idle primary writes every 10 s. */
const longestLagMs = 10_000;

/** @throws Error while the primary still answers, but no majority of its set confirms what it writes. */
function requireMajority({ lastWriteDate, majorityWriteDate }: Partial<NonNullable<Hello['lastWrite']>> = {}) {
  if (lastWriteDate === undefined || majorityWriteDate === undefined) return;
  const lag = lastWriteDate.getTime() - majorityWriteDate.getTime();
  if (lag > longestLagMs)
    throw new Error(`No majority of the replica set has confirmed a write for ${lag / 1000} s; see rs.status().`);
}

/**
 * Repeats the first connection until it succeeds. The driver tries it only once, so a client that starts before its
 * server would fail for ever.
 */
function insistOnFirstConnection(client: MongoClient): { end(): void } {
  let wanted = true;
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    wanted = false;
    clearTimeout(timer);
  };
  client.once('open', end);
  client.on('topologyClosed', () => {
    // The driver emits this event again if this attempt fails too.
    if (wanted) timer = setTimeout(() => void client.connect().catch(() => undefined), 100);
  });
  return { end };
}

const durability: MongoClientOptions = {
  // The driver also reads `journal` and `wtimeoutMS` from the URI, so they must be overridden outside the concern too.
  ...majorityWrites,
  writeConcern: majorityWrites,
  readConcernLevel: 'majority',
  readPreference: 'primary',
  retryWrites: true,
  retryReads: true,
};

const patience: MongoClientOptions = {
  connectTimeoutMS: 2000,
  serverSelectionTimeoutMS: 3000,
  // A server reports a change of its state at once. The heartbeat only finds one that hangs, so it may be rare.
  heartbeatFrequencyMS: 5000,
  // Change streams survive this time-out, because the server responds to an idle getMore after 1 s.
  socketTimeoutMS: 5000,
  maxPoolSize: 50,
  waitQueueTimeoutMS: 1000,
};

/** @throws ConfigError that names `MONGODB_URI`, its fault and the remedy, without any part of its password. */
export function openMongoClient(uri: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(uri, options);
  } catch (error) {
    throw new ConfigError([`MONGODB_URI cannot be used: ${faultIn(uri, (error as Error).message)}`]);
  }
}

function faultIn(uri: string, said: string) {
  // Some messages of the driver quote what stands before a misplaced "@" or ":", which can be the password.
  const [, login = ''] = /:\/\/(.*)@/s.exec(uri) ?? [];
  const quotes = login.split(/[:/?#@]/).some((part) => part !== '' && said.includes(part));
  if (/malformed|unescaped|Invalid connection string/.test(said) || quotes)
    return 'it is no valid connection string. In user and password write % as %25, / as %2F, ? as %3F, # as %23, @ as %40, : as %3A.';
  if (/not supported$/.test(said)) return `${said}. Correct its name, or leave it out.`;
  return `${said}. Expected mongodb://user:password@host:27017/?replicaSet=name.`;
}

/**
 * Rejects with a ConfigError if no server of the connection string can ever serve us. They are in no replica set, or in
 * another one. After one good answer nothing is judged again, and a set that is not initiated yet may become one.
 */
function watchDeployment(client: MongoClient, log: Logger) {
  const { hosts, replicaSet } = client.options;
  const faults = new Map<string, string>();
  let told = false;
  const judged = new Promise<never>((_, reject) => {
    client.on(
      'serverHeartbeatSucceeded',
      function judge({ connectionId: server, reply }: ServerHeartbeatSucceededEvent) {
        const fault = faultOf(server, reply, replicaSet);
        if (fault === undefined) client.off('serverHeartbeatSucceeded', judge);
        else if (fault !== '') {
          if (faults.set(server, fault).size >= hosts.length) reject(new ConfigError([fault]));
        } else if (!told) {
          told = true;
          log.warn(
            { server },
            'the replica set of MONGODB_URI is not initiated yet; if it stays so, call rs.initiate() there once',
          );
        }
      },
    );
  });
  judged.catch(() => undefined);
  return judged;
}

/** The fault of a server by its `hello`; undefined for none. It is empty if it can still end by itself. */
function faultOf(
  server: string,
  { setName, msg, isreplicaset }: { setName?: string; msg?: string; isreplicaset?: boolean },
  wanted: string | undefined,
) {
  if (msg === 'isdbgrid' || (setName !== undefined && (setName === wanted || !wanted))) return undefined;
  if (isreplicaset) return '';
  return setName === undefined
    ? `MONGODB_URI leads to ${server}, a mongod that is in no replica set. Start it with --replSet rs0 and call rs.initiate() once.`
    : `MONGODB_URI has replicaSet=${wanted}, but ${server} is in the replica set ${setName}. Write replicaSet=${setName}.`;
}
