import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { abortable } from '../mongodb/abortable.js';
import { isDuplicateKey } from '../mongodb/duplicate-key.js';
import type { StoredLog } from '../watch/log-tail.js';
import type { LogPosition } from '../watch/recent-entries.js';

/** A stored log to which every process appends its own entries. */
export interface AppendLog<Entry extends LogPosition> extends StoredLog<Entry> {
  /** Appends an entry. Resolves when the entry is stored. */
  record(entry: Omit<Entry, 'position'>, signal: AbortSignal): Promise<void>;
}

/** A stored entry. Its `_id` is its position. */
interface StoredEntry {
  _id: number;
  at: Date;
}

/** Stores the log in its own collection. The collection is not sharded, since it is small and needs one order. */
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
        // The insert fails if another process has added an entry after `last` was read.
        const stored = { ...entry, _id: (await last(signal)) + 1 } as unknown as StoredEntry;
        try {
          await log.insertOne(stored, abortable(signal));
          return;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
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
