import { setTimeout as sleep } from 'node:timers/promises';
import { type Collection, MongoServerError } from 'mongodb';
import { abortable } from './abortable.js';

/** What an entry of a log is stored as: its position is its `_id`. */
export interface StoredEntry {
  _id: number;
}

/**
 * Writes one entry at the very next position of a log, which succeeds only if nobody wrote since the log was looked at;
 * else it tries again until the signal.
 */
export async function appendEntry<Entry extends StoredEntry>(
  log: Collection<Entry>,
  entry: Omit<Entry, '_id'>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const position = (await lastPosition(log, signal)) + 1;
    try {
      await log.insertOne({ ...entry, _id: position } as never, abortable(signal));
      return;
    } catch (error) {
      if (!(error instanceof MongoServerError) || error.code !== 11_000) throw error;
      await sleep(Math.random() * 20);
    }
  }
}

/** The last position of a log; 0 of an empty one. */
export async function lastPosition<Entry extends StoredEntry>(
  log: Collection<Entry>,
  signal: AbortSignal,
): Promise<number> {
  const [entry] = await log
    .find({}, { signal, projection: { _id: 1 } })
    .sort({ _id: -1 })
    .limit(1)
    .toArray();
  return entry?._id ?? 0;
}

/** The position before the first entry whose time, at `field`, is this or later; undefined if there is none. */
export async function positionBefore<Entry extends StoredEntry>(
  log: Collection<Entry>,
  field: string,
  since: Date,
  signal: AbortSignal,
): Promise<number | undefined> {
  const [entry] = await log
    .find({ [field]: { $gte: since } } as never, { signal, projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(1)
    .toArray();
  return entry === undefined ? undefined : Number(entry._id) - 1;
}
