import { type Db, MongoClient, type MongoClientOptions, ReadConcern, ReadPreference, WriteConcern } from 'mongodb';
import type { HealthCheck } from '../grpc/health.js';
import type { Logger } from '../log/logger.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { watchMongo } from './telemetry.js';

/** Where the database is and who asks. */
export interface MongoOptions {
  uri: string;
  database: string;
  /** The process, shown in the server's log. */
  appName: string;
  log: Logger;
  /** Told of every command and of the pool. */
  telemetry?: Telemetry | undefined;
  /** What may differ from the defaults; nothing in it can weaken a write. */
  tuning?: Pick<MongoClientOptions, 'maxPoolSize' | 'socketTimeoutMS' | 'monitorCommands'>;
}

/** A connection that connects by itself, again and again. */
export interface Mongo {
  readonly client: MongoClient;
  readonly db: Db;
  /** Asks the primary; for `serveGrpc`. */
  readonly check: HealthCheck;
  close(): Promise<void>;
}

/** Every write is confirmed by a majority and its journal within 2 s, or its outcome counts as unknown. */
export const majorityWrites = { w: 'majority', wtimeoutMS: 2000, journal: true } as const;

/**
 * Makes a client whose acknowledged writes survive a fail-over and whose operations fail soon when nobody answers
 * (SECURITY.md#database). It never fails by itself: the first operation connects, however late the server comes, and so
 * does each one after a loss.
 * What the URI says about concerns, preference and retries is overruled.
 */
export function connectMongo({ uri, database, appName, log, telemetry, tuning }: MongoOptions): Mongo {
  const monitorCommands = telemetry !== undefined;
  const client = new MongoClient(uri, { ...patience, monitorCommands, ...tuning, ...durability, appName });
  if (telemetry !== undefined) watchMongo(client, telemetry);
  const db = client.db(database, {
    writeConcern: new WriteConcern('majority', majorityWrites.wtimeoutMS, true),
    readConcern: new ReadConcern('majority'),
    readPreference: ReadPreference.primary,
  });
  client.on('serverDescriptionChanged', ({ address, previousDescription, newDescription }) => {
    if (previousDescription.type === newDescription.type) return;
    log.info({ server: address, was: previousDescription.type, is: newDescription.type }, 'a MongoDB server changed');
  });
  const insistence = insistOnFirstConnection(client);
  return {
    client,
    db,
    check: { name: 'mongodb', check: (signal) => db.command({ ping: 1 }, { signal }) },
    close: () => {
      insistence.end();
      return client.close();
    },
  };
}

/** The driver tries its first connection once; if no server answers then, every later operation would fail for ever. */
function insistOnFirstConnection(client: MongoClient): { end(): void } {
  let wanted = true;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    wanted = false;
    clearTimeout(timer);
  };
  client.once('open', end);
  client.on('topologyClosed', () => {
    // Whether it fails again is told by this event.
    if (wanted) timer = setTimeout(() => void client.connect().catch(() => undefined), 100);
  });
  return { end };
}

const durability: MongoClientOptions = {
  // Both: the URI's own `journal` and `wtimeoutMS` are read beside the concern.
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
  heartbeatFrequencyMS: 1000,
  // A change stream is safe from it: the server answers an idle getMore after 1 s.
  socketTimeoutMS: 5000,
  maxPoolSize: 50,
  waitQueueTimeoutMS: 1000,
};
