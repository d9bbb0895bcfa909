import { deadlineIn, deadlineSignal } from '../deadline.js';
import { startLoop } from '../lifecycle/loop.js';
import type { Logger } from '../log/logger.js';
import type { WatchedLog } from './follow-log.js';
import { type LogPosition, RecentEntries } from './recent-entries.js';
import { createTurnstile } from './turnstile.js';

/** A stored log that is read by asking again and again. */
export interface StoredLog<Entry extends LogPosition> {
  /** Brings what waits into the log; gives whether more waits already. Absent where whoever acts writes the entry. */
  collect?(signal: AbortSignal): Promise<boolean>;
  /** The entries after a position, oldest first. */
  read(after: number, most: number, signal: AbortSignal): Promise<Entry[]>;
  /** The position before the first entry of this time or later; undefined if there is none. */
  before(since: Date, signal: AbortSignal): Promise<number | undefined>;
  /** The last position; 0 of an empty log. */
  last(signal: AbortSignal): Promise<number>;
  /** Whether older entries of memory may say more than the log from this entry on. */
  erases?(entry: Entry): boolean;
}

/** A log that one loop of the process keeps complete and reads, for all streams together. */
export interface LogTail<Entry extends LogPosition> extends WatchedLog<Entry> {
  /** Something was decided. */
  kick(): void;
  close(): Promise<void>;
}

const pageSize = 500;
const syncLimitMs = 3000;

/** Starts to keep the log and to read its end; `pauseMs` is how late what other replicas wrote is seen. */
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
      // One earlier, so that memory has the entry that the cursor of a new stream stands for.
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
    log,
    round: async (signal) => {
      const more = await stored.collect?.(signal);
      await readUp(signal);
      return more === true;
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

  const turnstile = createTurnstile(4);
  return {
    recent,
    sync: sharedRounds(syncNow),
    read: (after, most, signal) => turnstile.pass(signal, () => stored.read(after, most, signal)),
    before: (since, signal) => turnstile.pass(signal, () => stored.before(since, signal)),
    kick: loop.kick,
    close: loop.close,
  };
}

/** Work that serves all who asked before it began: whoever comes while it runs is served by the next round. */
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
