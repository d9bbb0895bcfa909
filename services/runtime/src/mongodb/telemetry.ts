import type {
  CollectionOptions,
  CommandFailedEvent,
  CommandStartedEvent,
  CommandSucceededEvent,
  Db,
  Document,
  MongoClient,
} from 'mongodb';
import { known, type Metrics } from '../telemetry/metrics.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { Span, Tracing } from '../telemetry/tracing.js';

/** Measures commands and the connection pool. A command gets a span if the call that sends it is traced. */
export function watchMongo(client: MongoClient, { metrics, tracing }: Telemetry): void {
  watchCommands(client, metrics, tracing);
  watchPool(client, metrics);
}

type Ended = CommandSucceededEvent | CommandFailedEvent;

function watchCommands(client: MongoClient, metrics: Metrics, tracing: Tracing) {
  const durations = metrics.histogram({
    name: 'knowledge_mongodb_command_duration_seconds',
    help: 'Time from a command to its reply, by command and outcome; a getMore of a change stream waits up to 1 s',
    labels: ['command', 'outcome'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  });
  const children = new Map<string, { observe(seconds: number): void }>();
  const observe = ({ commandName, duration }: Ended, outcome: 'ok' | 'failed') => {
    const command = commands.has(commandName) ? commandName : 'other';
    known(children, `${command} ${outcome}`, () => durations.labels({ command, outcome })).observe(duration / 1000);
  };

  const spans = new Map<number, Span>();
  const endSpan = (event: Ended, failure?: string) => {
    if (spans.size === 0) return;
    spans.get(event.requestId)?.end({ failure });
    spans.delete(event.requestId);
  };
  client.on('commandStarted', (event) => {
    const parent = tracing.current();
    const span =
      parent && tracing.child(spanName(event), parent.traceparent, { kind: 'client', attributes: of(event) });
    if (span !== undefined) spans.set(event.requestId, span);
  });
  client.on('commandSucceeded', (event) => {
    observe(event, 'ok');
    endSpan(event);
  });
  client.on('commandFailed', (event) => {
    observe(event, 'failed');
    endSpan(event, event.failure.name);
  });
}

function watchPool(client: MongoClient, metrics: Metrics) {
  const open = metrics.gauge({
    name: 'knowledge_mongodb_pool_open',
    help: 'Open connections to MongoDB, without those that monitor it',
  });
  const used = metrics.gauge({
    name: 'knowledge_mongodb_pool_in_use',
    help: 'Connections to MongoDB that an operation uses',
  });
  const waiting = metrics.gauge({
    name: 'knowledge_mongodb_pool_waiting',
    help: 'Operations that wait for a connection to MongoDB',
  });
  const waits = metrics.histogram({
    name: 'knowledge_mongodb_pool_wait_seconds',
    help: 'How long operations waited for a connection to MongoDB',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  });
  const failures = metrics.counter({
    name: 'knowledge_mongodb_pool_failures_total',
    help: 'Operations that got no connection to MongoDB, by reason',
    labels: ['reason'],
  });
  // Starts each reason at 0, so that the metric shows reasons that never occurred.
  for (const reason of reasons) failures.inc({ reason }, 0);
  client.on('connectionCreated', () => open.inc());
  client.on('connectionClosed', () => open.dec());
  client.on('connectionCheckOutStarted', () => waiting.inc());
  client.on('connectionCheckedOut', ({ durationMS }) => {
    waiting.dec();
    used.inc();
    waits.observe(durationMS / 1000);
  });
  client.on('connectionCheckOutFailed', ({ reason }) => {
    waiting.dec();
    failures.inc({ reason: reasons.has(reason) ? reason : 'other' });
  });
  client.on('connectionCheckedIn', () => used.dec());
}

const reasons: ReadonlySet<string> = new Set(['poolClosed', 'timeout', 'connectionError']);

// The commands that our code sends. All other commands share one label, which limits the number of labels.
const commands: ReadonlySet<string> = new Set([
  'abortTransaction',
  'aggregate',
  'bulkWrite',
  'collMod',
  'commitTransaction',
  'count',
  'create',
  'createIndexes',
  'delete',
  'distinct',
  'endSessions',
  'explain',
  'find',
  'findAndModify',
  'getMore',
  'insert',
  'killCursors',
  'listCollections',
  'listIndexes',
  'ping',
  'update',
]);

function spanName(event: CommandStartedEvent) {
  const collection = collectionOf(event);
  return collection === undefined ? event.commandName : `${event.commandName} ${collection}`;
}

function collectionOf({ commandName, command }: CommandStartedEvent) {
  const collection: unknown = command[commandName];
  return commands.has(commandName) && typeof collection === 'string' ? collection : undefined;
}

function of(event: CommandStartedEvent): Record<string, string> {
  const collection = collectionOf(event);
  return {
    'db.system.name': 'mongodb',
    'db.namespace': event.databaseName,
    'db.operation.name': event.commandName,
    ...(collection !== undefined && { 'db.collection.name': collection }),
  };
}

interface Cursor {
  once(event: 'close', listener: () => void): unknown;
  close(): Promise<void>;
}

/**
 * Counts the cursors of a database, and closes those of calls that came too late. The driver (7.8) keeps a cursor in
 * memory for ever if its signal had ended before.
 */
export function watchCursors(db: Db, metrics: Metrics): void {
  const open = metrics.gauge({
    name: 'knowledge_mongodb_cursors',
    help: 'Queries whose documents have not all come; change streams are not counted. It is near 0 in a pause',
  });
  const watched = <Kind extends Cursor>(cursor: Kind, options: { signal?: AbortSignal | undefined } = {}) => {
    open.inc();
    cursor.once('close', () => open.dec());
    // The driver still rejects its reads with the reason of the signal.
    if (options.signal?.aborted) void cursor.close();
    return cursor;
  };
  const collectionOf = db.collection.bind(db);
  db.collection = <Schema extends Document>(name: string, options?: CollectionOptions) => {
    const collection = collectionOf<Schema>(name, options);
    const find = collection.find.bind(collection);
    const aggregate = collection.aggregate.bind(collection);
    collection.find = (filter = {}, options = {}) => watched(find(filter, options), options);
    collection.aggregate = (stages, options) => watched(aggregate(stages, options), options);
    return collection;
  };
}
