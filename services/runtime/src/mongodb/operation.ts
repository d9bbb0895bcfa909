import {
  type Abortable,
  type ClientSession,
  type Collection,
  type Document,
  type Filter,
  type FindOptions,
  type MongoClient,
  type MongoError,
  MongoServerError,
  type OperationOptions,
  type WithId,
} from 'mongodb';
import { orAbort, pause } from '../lifecycle/promises.js';
import { type ListPage, type ListPageQuery, type ListPosition, toListPage } from '../paging/page.js';
import { majorityWrites } from './connect.js';

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

interface ListOf<D extends Document, Item> {
  readonly filter: Filter<D>;
  readonly order: ListOrder;
  readonly toItem: (document: WithId<D>) => Item;
}

/** Reads one page of a list. */
export async function listPage<D extends Document, Item>(
  collection: Collection<D>,
  { filter, order, toItem }: ListOf<D, Item>,
  { size, after }: ListPageQuery,
  options: FindOptions & Abortable,
): Promise<ListPage<Item>> {
  const page = { ...options, sort: order, limit: size + 1 };
  const found = await collection.find(afterPosition(filter, order, after), page).toArray();
  const [time = '', id = ''] = Object.keys(order);
  return toListPage(found.map(toItem), size, (_, count) => {
    const last = found[count - 1];
    return { at: last?.[time], id: last?.[id] };
  });
}

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

/** The options that every operation of a transaction needs. Pass them unchanged or spread them. */
export interface TransactionScope {
  readonly session: ClientSession;
  readonly signal: AbortSignal;
}

/** A conflict or a wait that lasts longer may come from the transaction of a dead process. */
const patienceMs = 300;

/**
 * Runs `fn` in one transaction with snapshot reads and majority writes. Until the signal aborts, it runs `fn` again
 * after a transient error and repeats a commit with an unknown result (SECURITY.md#database). So `fn` must have no
 * effects outside the transaction.
 *
 * @throws the error of `fn`, or the signal's reason; the transaction may then be committed or not.
 */
export async function withTransaction<T>(
  client: MongoClient,
  fn: (scope: TransactionScope) => Promise<T>,
  { signal }: { signal: AbortSignal },
): Promise<T> {
  const session = client.startSession();
  const begun = performance.now();
  try {
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted();
      session.startTransaction({
        readConcern: { level: 'snapshot' },
        writeConcern: majorityWrites,
        readPreference: 'primary',
      });
      try {
        const result = await fn({ session, signal });
        await commit(session, signal);
        return result;
      } catch (error) {
        if (session.inTransaction()) await orAbort(session.abortTransaction(), signal).catch(() => undefined);
        if (signal.aborted || !hasLabel(error, 'TransientTransactionError')) throw error;
        if (performance.now() - begun > patienceMs) await endOrphanTransactions(client, signal);
        // On a busy machine many attempts would only make the one that wins slower.
        await pause((5 + Math.random() * 20) * 2 ** Math.min(attempt, 3));
      }
    }
  } finally {
    // Not awaited, because it would wait while there is no primary.
    void session.endSession().catch(() => undefined);
  }
}

async function commit(session: ClientSession, signal: AbortSignal) {
  for (;;) {
    signal.throwIfAborted();
    try {
      await orAbort(session.commitTransaction(), signal);
      return;
    } catch (error) {
      if (signal.aborted || !hasLabel(error, 'UnknownTransactionCommitResult')) throw error;
      await pause(5 + Math.random() * 20);
    }
  }
}

function hasLabel(error: unknown, label: string) {
  return error instanceof Error && typeof (error as MongoError).hasErrorLabel === 'function'
    ? (error as MongoError).hasErrorLabel(label)
    : false;
}

/** No transaction of a live service lasts this long, because its caller stops waiting earlier. */
const orphanedAfterMs = 2500;
const intervalMs = 1000;

/**
 * Runs writes outside a transaction. MongoDB lets such a write wait until a transaction on the same document ends. While
 * it waits for long, this ends orphan transactions.
 */
export async function pastOrphans<T>(client: MongoClient, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void endOrphanTransactions(client, signal), patienceMs);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}

/** The time of each client's last search for orphan transactions. */
const looked = new WeakMap<MongoClient, number>();

/**
 * Ends the open transactions of killed processes. Otherwise they block others for a minute
 * (`transactionLifetimeLimitSeconds`). The search uses the `appName` of the service's connections. If it ends a live
 * transaction, that one starts again. It runs at most once a second per client and never throws.
 */
async function endOrphanTransactions(client: MongoClient, signal: AbortSignal) {
  const { appName } = client.options;
  const now = performance.now();
  if (appName === undefined || now - (looked.get(client) ?? Number.NEGATIVE_INFINITY) < intervalMs) return;
  looked.set(client, now);
  // If this fails, MongoDB ends the transactions after a minute.
  await endOldTransactions(client, { appName }, signal).catch(() => undefined);
}

/** Ends the open transactions with these properties that are older than those of live services. */
export async function endOldTransactions(client: MongoClient, match: Document, signal?: AbortSignal): Promise<void> {
  const admin = client.db('admin');
  const pipeline = [
    { $currentOp: { allUsers: false, idleSessions: true } },
    { $match: { ...match, 'transaction.timeOpenMicros': { $gt: orphanedAfterMs * 1000 } } },
    { $project: { lsid: 1 } },
  ];
  const { cursor } = await admin.command({ aggregate: 1, pipeline, cursor: {} }, { signal });
  const old = cursor.firstBatch as { lsid: { id: unknown } }[];
  if (old.length > 0) await admin.command({ killSessions: old.map(({ lsid: { id } }) => ({ id })) }, { signal });
}
