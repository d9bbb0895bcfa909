import { type Logger, type Loop, RemoteClock, startLoop } from '@knowledge/runtime';
import type { Db } from 'mongodb';

/** Estimates the clock of the database server. */
export interface ServerClock {
  /**
   * The time by the server's clock after which a write for `deadline` must have no effect. Undefined if the clock is
   * unknown.
   */
  lastMoment(deadline: number): Date | undefined;
  close(): Promise<void>;
}

/** How far the clocks may drift apart between two readings. */
const toleranceMs = 20;

/** Follows the server's clock, so that a difference between clocks never refuses a write. */
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
        // A new primary has another clock.
        clock.forget();
        throw error;
      }
      return false;
    },
    log,
  });
  return { lastMoment: (deadline) => clock.at(deadline + toleranceMs), close: () => loop.close() };
}
