import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, MongoServerError } from 'mongodb';
import { abortable } from '../mongodb/abortable.js';
import type { StoredLog } from '../watch/log-tail.js';
import type { LogPosition } from '../watch/recent-entries.js';

/** A stored log in which whoever acts writes the entry. */
export interface AppendLog<Entry extends LogPosition> extends StoredLog<Entry> {
  /** Resolves when the entry is in the log. */
  record(entry: Omit<Entry, 'position'>, signal: AbortSignal): Promise<void>;
}

/** An entry as the database stores it: its position is its `_id`. */
interface StoredEntry {
  _id: number;
  at: Date;
}

/** The log in a collection of its own. It is small and has one order, so it stays on one shard. */
export function createAppendLog<Entry extends LogPosition & { at: Date }>(db: Db, name: string): AppendLog<Entry> {
  const log = db.collection<StoredEntry>(name);

  const last = async (signal: AbortSignal): Promise<number> => {
    const entry = await log.findOne({}, { signal, projection: { _id: 1 }, sort: { _id: -1 } });
    return entry?._id ?? 0;
  };

  return {
    last,
    record: async (entry, signal) => {
      for (;;) {
        signal.throwIfAborted();
        // The write succeeds only if nobody wrote since the last position was read.
        const stored = { ...entry, _id: (await last(signal)) + 1 } as unknown as StoredEntry;
        try {
          await log.insertOne(stored, abortable(signal));
          return;
        } catch (error) {
          if (!(error instanceof MongoServerError) || error.code !== 11_000) throw error;
          await sleep(Math.random() * 20);
        }
      }
    },
    before: async (since, signal) => {
      const options = { signal, projection: { _id: 1 }, sort: { _id: 1 } } as const;
      const entry = await log.findOne({ at: { $gte: since } }, options);
      return entry === null ? undefined : entry._id - 1;
    },
    read: async (after, most, signal) => {
      const found = await log.find({ _id: { $gt: after } }, { signal, sort: { _id: 1 }, limit: most }).toArray();
      return found.map(({ _id, ...entry }) => ({ position: _id, ...entry }) as unknown as Entry);
    },
  };
}
