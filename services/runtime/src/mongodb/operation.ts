import { type Filter, MongoServerError, type OperationOptions } from 'mongodb';
import type { ListPosition } from '../paging/page.js';

/** Driver options with an abort signal. The driver's types do not list the signal for every operation. */
export type AbortableOptions = { readonly signal: AbortSignal } & Pick<OperationOptions, 'session'>;

/**
 * Options that end a driver operation when the signal aborts. Spread them into others: `{ upsert: true,
 * ...abortable(signal) }`. Driver 7.8 types the signal only for reads, but its code obeys it for all reads and writes.
 * For other operations (`createCollection`, `createIndexes`, `commitTransaction`) use `orAbort`. The server may still
 * apply an aborted write.
 */
export function abortable(signal: AbortSignal): AbortableOptions {
  return { signal };
}

/** The sort order of a list: a field with a time, then one that is unique at any time. */
type ListOrder = Readonly<Record<string, 1 | -1>>;

/**
 * The filter of the page after a position. It consists of two ranges that the server merges, so the server reads only
 * the entries of the page.
 */
export function afterPosition<Document>(
  filter: Filter<Document>,
  order: ListOrder,
  after: ListPosition | undefined,
): Filter<Document> {
  if (after === undefined) return filter;
  const [time, id] = Object.entries(order) as [[string, 1 | -1], [string, 1 | -1]];
  const ranges = [{ [time[0]]: after.at, ...beyond(id, after.id) }, beyond(time, after.at)];
  return { $or: ranges.map((range) => ({ $and: [filter, range] })) } as Filter<Document>;
}

function beyond([field, direction]: [string, 1 | -1], value: Date | string): object {
  return { [field]: direction === 1 ? { $gt: value } : { $lt: value } };
}

/** Whether a write failed because another document has the same value in a unique index. */
export function isDuplicateKey(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === 11_000;
}

/** Resolves after the given time, or earlier if the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
