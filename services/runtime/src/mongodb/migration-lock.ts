import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { isDuplicateKey } from './duplicate-key.js';
import { pause } from './pause.js';

/** The lock for migrations, stored in the collection `migrations`. It expires if its holder dies. */
interface LockDocument {
  _id: 'lock';
  holder: string;
  until: Date;
}

const heldMs = 6000;
const retryMs = 250;

/**
 * Runs `work` while holding the migration lock of the database. The signal aborts when the lock is lost. This can
 * happen when a process was suspended for 6 s; it must not run beside the next holder.
 */
export async function withMigrationLock(
  db: Db,
  signal: AbortSignal | undefined,
  work: (held: AbortSignal) => Promise<void>,
): Promise<void> {
  const locks = db.collection<LockDocument>('migrations');
  const holder = randomUUID();
  // Uses the server's clock, since the clocks of the replicas may differ.
  const until = { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: heldMs } };

  const free = { $lte: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] };
  const change = { holder: { $cond: [free, holder, '$holder'] }, until: { $cond: [free, until, '$until'] } };

  const take = async (): Promise<boolean> => {
    try {
      const options = { upsert: true, returnDocument: 'after' } as const;
      return (await locks.findOneAndUpdate({ _id: 'lock' }, [{ $set: change }], options))?.holder === holder;
    } catch (error) {
      // Two replicas tried to create the lock document at the same time, and the other one succeeded.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };
  while (!(await take())) {
    await pause(retryMs, signal);
    signal?.throwIfAborted();
  }
  const lost = new AbortController();
  // An AbortError is treated as an outage, so the migration is tried again.
  const lose = (): void => lost.abort(new DOMException('The lock of the data migrations is lost.', 'AbortError'));
  const renew = async (): Promise<void> => {
    const { matchedCount } = await locks.updateOne({ _id: 'lock', holder }, [{ $set: { until } }]);
    if (matchedCount === 0) lose();
  };
  const timer = setInterval(() => void renew().catch(lose), heldMs / 5);
  try {
    await work(AbortSignal.any([lost.signal, ...(signal === undefined ? [] : [signal])]));
  } finally {
    clearInterval(timer);
    // If the delete fails, the lock expires by itself.
    await locks.deleteOne({ _id: 'lock', holder }).catch(() => undefined);
  }
}
