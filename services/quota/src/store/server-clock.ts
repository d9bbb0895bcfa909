import { type Logger, type Loop, RemoteClock, startLoop } from '@knowledge/runtime';
import type { Db } from 'mongodb';

/** The clock of the database server, as this process sees it. */
export interface ServerClock {
  /** When a write that is decided for `deadline` must not be applied any more, by that clock; undefined if it is not known. */
  lastMoment(deadline: number): Date | undefined;
  close(): Promise<void>;
}

/** Clocks may drift so far apart between two looks. */
const toleranceMs = 20;

/** Follows how far the server's clock is ahead of ours, so that no difference of clocks can refuse a write. */
export function followServerClock(db: Db, log: Logger): ServerClock {
  const clock = new RemoteClock();
  const loop: Loop = startLoop({
    name: 'server clock',
    pauseMs: 10_000,
    async round(signal) {
      const asked = Date.now();
      try {
        const { localTime } = await db.command({ hello: 1 }, { signal });
        clock.learn(localTime as Date, asked);
      } catch (error) {
        // The next primary has another clock.
        clock.forget();
        throw error;
      }
      return false;
    },
    log,
  });
  return { lastMoment: (deadline) => clock.at(deadline + toleranceMs), close: () => loop.close() };
}
