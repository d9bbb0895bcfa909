import type { MongoClient } from 'mongodb';

/** No transaction of ours lasts as long: whoever waits for it has given up before. */
const orphanedAfterMs = 2500;
const intervalMs = 1000;

/** When each client looked last. */
const looked = new WeakMap<MongoClient, number>();

/**
 * Ends the transactions that a killed process left open between a write and its commit: MongoDB lets them block others for
 * a minute (`transactionLifetimeLimitSeconds`). Processes of one service know each other by the `appName` of their
 * connections. Always safe: a transaction that was alive after all starts again. Looks at most once a second and a client;
 * failing changes nothing, so it never throws.
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
    // Then the minute is waited out.
  }
}
