import { randomUUID } from 'node:crypto';
import { type Db, MongoServerError } from 'mongodb';
import { pause } from './pause.js';

/** In `migrations`, beside the records: who runs them now. A holder that dies loses it when its time is over. */
interface LockDocument {
  _id: 'lock';
  holder: string;
  until: Date;
}

const heldMs = 6000;
const retryMs = 250;
const duplicateKey = 11000;

/**
 * Waits for the lock of a database, then runs `work` and gives the lock back. The signal that `work` gets aborts when the
 * lock is lost: a process that stood still for 6 s must not go on beside the next one.
 */
export async function holdMigrationLock(
  db: Db,
  signal: AbortSignal | undefined,
  work: (held: AbortSignal) => Promise<void>,
): Promise<void> {
  const locks = db.collection<LockDocument>('migrations');
  const holder = randomUUID();
  // By the clock of the server, as those of the replicas may differ.
  const until = { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: heldMs } };

  const free = { $lte: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] };
  const change = { holder: { $cond: [free, holder, '$holder'] }, until: { $cond: [free, until, '$until'] } };

  const take = async (): Promise<boolean> => {
    try {
      const options = { upsert: true, returnDocument: 'after' } as const;
      return (await locks.findOneAndUpdate({ _id: 'lock' }, [{ $set: change }], options))?.holder === holder;
    } catch (error) {
      // Two met at the first lock of all.
      if (error instanceof MongoServerError && error.code === duplicateKey) return false;
      throw error;
    }
  };
  while (!(await take())) {
    await pause(retryMs, signal);
    signal?.throwIfAborted();
  }
  const lost = new AbortController();
  // An outage, not a fault of the migration: it begins again.
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
    // Without it the lock ends by itself.
    await locks.deleteOne({ _id: 'lock', holder }).catch(() => undefined);
  }
}
