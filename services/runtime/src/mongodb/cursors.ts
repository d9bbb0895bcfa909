import type { CollectionOptions, Db, Document } from 'mongodb';
import type { Metrics } from '../telemetry/metrics.js';

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
  const watched = <Kind extends Cursor>(cursor: Kind, options: { signal?: AbortSignal | undefined } = {}): Kind => {
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
