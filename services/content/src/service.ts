import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService, PublicationServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Clock, closeAll, createLogger, type Environment, type Logger, type Running } from '@knowledge/runtime';
import {
  type Definition,
  grpcServerConfig,
  grpcTls,
  type Handlers,
  implement,
  serveGrpc,
} from '@knowledge/runtime/grpc';
import { applySchema, connectMongo, type Mongo, startMigration } from '@knowledge/runtime/mongodb';
import { startTelemetry, type Telemetry } from '@knowledge/runtime/telemetry';
import { createTurnstile } from '@knowledge/runtime/watch';
import { access } from './access.js';
import { type ContentConfig, readContentConfig } from './config.js';
import { type ChangeFeed, followLog } from './domain/change-feed.js';
import type { ChangeLog } from './domain/change-log.js';
import { watchedChanges } from './domain/editorial-watch.js';
import { createTagLists } from './domain/tag-lists.js';
import { type ContentParts, contentHandlers } from './handlers/content.js';
import { type EditorialParts, editorialHandlers } from './handlers/editorial.js';
import { publicationHandlers } from './handlers/publication.js';
import { logCalls, refuseUntil } from './handlers/wrap-handlers.js';
import { createArticleIndex } from './store/article-index.js';
import { createArticleReads } from './store/article-reads.js';
import { createArticleSearch } from './store/article-search.js';
import { createArticleWrites } from './store/article-writes.js';
import { createChangeLog } from './store/change-log.js';
import { collectionsOf } from './store/documents.js';
import { createHighlightStore } from './store/highlights.js';
import { createObjectStore } from './store/objects.js';
import { schema } from './store/schema.js';
import { createWriter } from './store/writer.js';
import { startPublicationClock } from './workers/publication-clock.js';

/** The running service. */
export interface ContentProcess extends Running {
  /** Resolves when the schema is applied and everything that changes is heard of. */
  readonly ready: Promise<void>;
}

const appName = 'content';

/**
 * Starts the service: it listens at once, and is ready when the schema is applied, MongoDB answers and the change log is
 * followed.
 *
 * @throws ConfigError before anything is opened.
 */
export async function start(env: Environment, clock: Clock = () => new Date()): Promise<ContentProcess> {
  const config = readContentConfig(env);
  const log = createLogger({ name: appName, level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
  const tls = grpcTls(config, log);
  const telemetry = await startTelemetry(appName, config, log);
  const mongo = openDatabase(config, log, telemetry);
  // Streams have connections of their own: no crowd of them can take those of the readers.
  const watching = openDatabase(config, log, telemetry);
  const migration = startMigration(mongo.db, schema, log);
  const parts = compose(mongo, watching, log);
  telemetry.metrics.read(
    { name: 'knowledge_change_feed_lag_seconds', help: 'Since when nothing proves that every change was heard of' },
    () => (performance.now() - parts.feed.heardAt) / 1000,
  );
  const wrapped = <D extends Definition>(handlers: Handlers<D>): Handlers<D> =>
    refuseUntil(migration.done, logCalls(handlers, log));
  const publications = startPublicationClock({ due: parts.reads.due, change: parts.writes.change }, clock, log);
  const server = await serveGrpc({
    ...grpcServerConfig(config, tls, access),
    address: config.GRPC_ADDRESS,
    clock,
    // An article has up to 200 kB, and what surrounds it.
    maxRequestBytes: 1024 * 1024,
    services: [
      implement(ContentServiceService, wrapped(contentHandlers(parts))),
      implement(EditorialServiceService, wrapped(editorialHandlers(parts))),
      implement(PublicationServiceService, wrapped(publicationHandlers(parts))),
    ],
    health: [migration.check, mongo.check, { name: 'change log', check: () => checkFeed(parts.feed) }],
    log,
    telemetry,
  });
  return {
    address: server.address,
    log,
    ready: migration.done.then(async () => void (await parts.feed.proof())),
    close: () => closeAll([telemetry, mongo, watching, migration, parts.feed, publications, server]),
  };
}

/** The schema step alone: applies it, waiting for MongoDB as long as it takes. */
export async function migrate(env: Environment): Promise<void> {
  const config = readContentConfig(env);
  const log = createLogger({ name: appName, level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
  const mongo = openDatabase(config, log);
  try {
    await applySchema(mongo.db, schema, { log });
    log.info('the schema is applied');
  } finally {
    await mongo.close();
  }
}

function openDatabase(config: ContentConfig, log: Logger, telemetry?: Telemetry): Mongo {
  return connectMongo({ uri: config.MONGODB_URI, database: config.MONGODB_DATABASE, appName, log, telemetry });
}

async function checkFeed(feed: ChangeFeed): Promise<void> {
  if (!feed.following) throw new Error('The change log is not followed.');
  await feed.sync();
}

function compose({ client, db }: Mongo, watching: Mongo, log: Logger): ContentParts & EditorialParts {
  const collections = collectionsOf(db);
  const writer = createWriter(client, collections);
  const stored = createChangeLog(collectionsOf(watching.db));
  const feed = followLog({ changes: stored, log });
  const changes = readInTurns(stored);
  const reads = createArticleReads(collections);
  return {
    index: createArticleIndex(collections),
    search: createArticleSearch(collections),
    reads,
    writes: createArticleWrites(writer, collections),
    highlights: createHighlightStore(writer, collections),
    objects: createObjectStore(writer, collections),
    changes,
    feed,
    editorial: watchedChanges(feed, changes),
    tagLists: createTagLists(reads, feed),
  };
}

/** The log for streams that are behind: a few of them read at a time, in the order in which they came. */
function readInTurns(log: ChangeLog): ChangeLog {
  const turnstile = createTurnstile(4);
  return {
    ...log,
    after: (position, limit, signal) => turnstile.pass(signal, () => log.after(position, limit, signal)),
    before: (since, signal) => turnstile.pass(signal, () => log.before(since, signal)),
  };
}
