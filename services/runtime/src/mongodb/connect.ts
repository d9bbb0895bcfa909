import { type Db, MongoClient, type MongoClientOptions, ReadConcern, ReadPreference, WriteConcern } from 'mongodb';
import type { HealthCheck } from '../grpc/health.js';
import type { Logger } from '../log/logger.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { watchMongo } from './telemetry.js';

export interface MongoOptions {
  uri: string;
  database: string;
  /** The process, shown in the server's log. */
  appName: string;
  log: Logger;
  /** Measures commands and the connection pool. */
  telemetry?: Telemetry | undefined;
  /** Settings that may differ from the defaults. None of them can weaken a write. */
  tuning?: Pick<MongoClientOptions, 'maxPoolSize' | 'socketTimeoutMS' | 'monitorCommands'>;
}

/** A connection that keeps reconnecting by itself. */
export interface Mongo {
  readonly client: MongoClient;
  readonly db: Db;
  /** Pings the primary; for `serveGrpc`. */
  readonly check: HealthCheck;
  close(): Promise<void>;
}

/** A majority must confirm every write and its journal within 2 s, or its outcome is unknown. */
export const majorityWrites = { w: 'majority', wtimeoutMS: 2000, journal: true } as const;

/**
 * Makes a client whose acknowledged writes survive a fail-over and whose operations fail fast during an outage
 * (SECURITY.md#database). It never fails by itself: operations connect again as soon as the server is back. Concerns,
 * read preference and retries in the URI are overridden.
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

/**
 * The driver tries its first connection only once. Without this, a client that starts before its server would fail for
 * ever.
 */
function insistOnFirstConnection(client: MongoClient): { end(): void } {
  let wanted = true;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    wanted = false;
    clearTimeout(timer);
  };
  client.once('open', end);
  client.on('topologyClosed', () => {
    // If it fails again, this event fires again.
    if (wanted) timer = setTimeout(() => void client.connect().catch(() => undefined), 100);
  });
  return { end };
}

const durability: MongoClientOptions = {
  // Both are needed: the driver reads `journal` and `wtimeoutMS` of the URI beside the concern.
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
  // This does not break change streams: the server responds to an idle getMore after 1 s.
  socketTimeoutMS: 5000,
  maxPoolSize: 50,
  waitQueueTimeoutMS: 1000,
};
