import type { Logger } from '@knowledge/runtime';
import type { MongoClient } from 'mongodb';
import type { Clock } from '../domain/window.js';

/** Ends transactions that nobody will end. */
export interface OrphanTransactions {
  /** Looks for them, at most once a second; failing changes nothing. */
  end(signal: AbortSignal): Promise<void>;
}

/** What looking for them takes. */
export interface OrphanDependencies {
  client: MongoClient;
  /** The name by which the connections of all processes of this service are known to the server. */
  appName: string;
  log: Logger;
  now: Clock;
}

/** No transaction of ours lasts as long: its items have deadlines before. */
const orphanedAfterMs = 2500;
const intervalMs = 1000;

/**
 * A process that is killed between the writes of a transaction and its commit leaves it open, and MongoDB lets it block
 * others for a minute (`transactionLifetimeLimitSeconds`). Whoever meets it ends its session. That is always safe: a
 * transaction that was alive after all starts again.
 */
export function createOrphanTransactions({ client, appName, log, now }: OrphanDependencies): OrphanTransactions {
  let next = 0;
  return {
    async end(signal) {
      const time = now();
      // A clock that was set back must not stop the looking.
      if (time < next && next - time <= intervalMs) return;
      next = time + intervalMs;
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
      } catch (error) {
        if (signal.aborted) throw error;
        log.warn({ err: error }, 'orphaned transactions cannot be ended; they block others for up to a minute');
      }
    },
  };
}
