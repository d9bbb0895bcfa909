import type { ClientSession, MongoClient, MongoError } from 'mongodb';
import { orAbort } from '../lifecycle/or-abort.js';
import { majorityWrites } from './connect.js';
import { endOrphanTransactions } from './orphan-transactions.js';
import { pause } from './pause.js';

/** The options that every operation of a transaction needs. Pass them unchanged or spread them. */
export interface TransactionScope {
  readonly session: ClientSession;
  readonly signal: AbortSignal;
}

/** A conflict that lasts longer may come from the transaction of a dead process. */
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

async function commit(session: ClientSession, signal: AbortSignal): Promise<void> {
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

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof Error && typeof (error as MongoError).hasErrorLabel === 'function'
    ? (error as MongoError).hasErrorLabel(label)
    : false;
}
