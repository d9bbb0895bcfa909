import { deadlineIn, deadlineSignal } from '../deadline.js';
import { startLoop } from '../lifecycle/loop.js';
import type { Logger } from '../log/logger.js';
import { createConcurrencyLimit } from './concurrency-limit.js';
import { type LogPosition, RecentEntries } from './cursor.js';
import type { WatchedLog } from './follow-log.js';

/** A stored log that a loop polls for new entries. */
export interface StoredLog<Entry extends LogPosition> {
  /**
   * Adds waiting transitions to the log and returns whether there are more. Not needed if processes append entries
   * directly.
   */
  collect?(signal: AbortSignal): Promise<boolean>;
  /**
   * Whether there are waiting transitions, or entries after a position. One cheap look, so that an idle process need
   * not collect and read.
   */
  hasNews?(after: number, signal: AbortSignal): Promise<boolean>;
  /** Reads the entries after a position, oldest first. */
  read(after: number, most: number, signal: AbortSignal): Promise<Entry[]>;
  /** The position before the first entry since this time; undefined if there is no such entry. */
  before(since: Date, signal: AbortSignal): Promise<number | undefined>;
  /** The last position; 0 if the log is empty. */
  last(signal: AbortSignal): Promise<number>;
  /** Whether this entry erases text in older entries. If so, cached entries are dropped. */
  erases?(entry: Entry): boolean;
}

/** A log that one loop per process updates and reads for all streams. */
export interface LogTail<Entry extends LogPosition> extends WatchedLog<Entry> {
  /** Reads the log at once. Call it after a change. */
  kick(): void;
  close(): Promise<void>;
}

/** The pause between two looks grows by this factor while the log does not change. */
const longestPause = 5;
const pageSize = 500;
const syncLimitMs = 3000;

/**
 * Starts to update and read the log. Entries from other replicas appear after about `pauseMs` or earlier, and after at
 * most five times `pauseMs` if the log did not change for a while.
 */
export function startLogTail<Entry extends LogPosition>(
  stored: StoredLog<Entry>,
  log: Logger,
  pauseMs = 300,
): LogTail<Entry> {
  const recent = new RecentEntries<Entry>();
  let begun = false;

  const readUp = async (signal: AbortSignal): Promise<void> => {
    if (!begun) {
      const last = await stored.last(signal);
      // Starts one entry earlier. A new stream's cursor names that entry, so memory must contain it.
      if (!begun) recent.reset(Math.max(0, last - 1));
      begun = true;
    }
    for (;;) {
      const entries = await stored.read(recent.head, pageSize, signal);
      for (const entry of entries) {
        if (stored.erases?.(entry)) recent.forget();
        recent.add(entry);
      }
      if (entries.length < pageSize) return;
    }
  };

  const loop = startLoop({
    name: 'transition log',
    pauseMs,
    longestPauseMs: pauseMs * longestPause,
    log,
    round: async (signal) => {
      if (begun && stored.hasNews !== undefined && !(await stored.hasNews(recent.head, signal))) return false;
      const { head } = recent;
      const more = await stored.collect?.(signal);
      await readUp(signal);
      return more === true || recent.head !== head;
    },
  });

  const syncNow = async (): Promise<number> => {
    const limit = deadlineSignal(deadlineIn(syncLimitMs));
    try {
      while (await stored.collect?.(limit.signal));
      await readUp(limit.signal);
      return recent.head;
    } finally {
      limit.clear();
    }
  };

  const reads = createConcurrencyLimit(4);
  return {
    recent,
    sync: sharedRounds(syncNow),
    read: (after, most, signal) => reads.run(signal, () => stored.read(after, most, signal)),
    positionBefore: (since, signal) => reads.run(signal, () => stored.before(since, signal)),
    kick: loop.kick,
    close: loop.close,
  };
}

/** Shares one run of the work among several callers. A call during a run waits for the next run. */
function sharedRounds<T>(work: () => Promise<T>): () => Promise<T> {
  let round: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    round = work().finally(() => {
      round = undefined;
    });
    return round;
  };
  return () => {
    if (round === undefined) return begin();
    next ??= round
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}
