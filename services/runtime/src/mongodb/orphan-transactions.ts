import type { MongoClient } from 'mongodb';

/** Our transactions never last this long, because their callers stop waiting before. */
const orphanedAfterMs = 2500;
const intervalMs = 1000;

/** When each client last searched. */
const looked = new WeakMap<MongoClient, number>();

/**
 * Ends open transactions of killed processes, which MongoDB would let block others for a minute
 * (`transactionLifetimeLimitSeconds`). They are found by the `appName` of the service's connections. Ending a live
 * transaction is safe, since it starts again. It runs at most once a second per client and never throws.
 */
export async function endOrphanTransactions(client: MongoClient, signal: AbortSignal): Promise<void> {
  const { appName } = client.options;
  const now = performance.now();
  if (appName === undefined || now - (looked.get(client) ?? Number.NEGATIVE_INFINITY) < intervalMs) return;
  looked.set(client, now);
  const admin = client.db('admin');
  const pipeline = [
    { $currentOp: { allUsers: false, idleSessions: true } },
    { $match: { appName, 'transaction.timeOpenMicros': { $gt: orphanedAfterMs * 1000 } } },
    { $project: { lsid: 1 } },
  ];
  try {
    const { cursor } = await admin.command({ aggregate: 1, pipeline, cursor: {} }, { signal });
    const orphans = cursor.firstBatch as { lsid: { id: unknown } }[];
    if (orphans.length === 0) return;
    await admin.command({ killSessions: orphans.map(({ lsid: { id } }) => ({ id })) }, { signal });
  } catch {
    // MongoDB then ends them after the minute.
  }
}
