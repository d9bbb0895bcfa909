import { type Logger, type Loop, startLoop } from '@knowledge/runtime';
import type { Db } from 'mongodb';

/** The clock of the database server, as this process sees it. */
export interface ServerClock {
  /** When a write that is decided for `deadline` must not be applied any more, by that clock; undefined if it is not known. */
  lastMoment(deadline: number): Date | undefined;
  close(): Promise<void>;
}

/** An answer that came in its time never meets the guard, even if a clock was slewed since the last look. */
const toleranceMs = 100;

/** Follows how far the server's clock is ahead of ours, so that no difference of clocks can refuse a write. */
export function followServerClock(db: Db, log: Logger): ServerClock {
  let ahead: number | undefined;
  const loop: Loop = startLoop({
    name: 'server clock',
    pauseMs: 10_000,
    async round(signal) {
      const asked = Date.now();
      try {
        const { localTime } = await db.command({ hello: 1 }, { signal });
        // At most as far as this: the answer was made after the question. So the guard is late, never early.
        ahead = (localTime as Date).getTime() - asked;
      } catch (error) {
        // The next primary has another clock.
        ahead = undefined;
        throw error;
      }
      return false;
    },
    log,
  });
  return {
    lastMoment: (deadline) => (ahead === undefined ? undefined : new Date(Math.ceil(deadline) + ahead + toleranceMs)),
    close: () => loop.close(),
  };
}
