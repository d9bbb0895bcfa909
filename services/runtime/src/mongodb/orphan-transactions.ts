import type { Document, MongoClient } from 'mongodb';

/** No transaction of a live service lasts this long, because its caller stops waiting earlier. */
const orphanedAfterMs = 2500;
const intervalMs = 1000;

/** A write that waits longer may wait for the transaction of a dead process. */
const patienceMs = 300;

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
export async function endOrphanTransactions(client: MongoClient, signal: AbortSignal): Promise<void> {
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
