import { type Logger, type Loop, RemoteClock, startLoop } from '@knowledge/runtime';
import type { Db } from 'mongodb';

/** Estimates the time of the database server. */
export interface ServerClock {
  /**
   * Converts a deadline to the server's clock. A later write must have no effect. Undefined if the server's clock is
   * unknown.
   */
  lastMoment(deadline: number): Date | undefined;
  close(): Promise<void>;
}

/** The largest drift of the clocks between two readings. */
const toleranceMs = 20;

/** At first the clock is read several times, since the first reading is slow and so inexact. */
const firstReadings = 5;

/** Follows the server's clock, so that different clocks never cause a refused write. */
export function followServerClock(db: Db, log: Logger): ServerClock {
  const clock = new RemoteClock();
  let readings = 0;
  const loop: Loop = startLoop({
    name: 'server clock',
    pauseMs: 10_000,
    async round(signal) {
      const asked = Date.now();
      try {
        const { localTime } = await db.command({ hello: 1 }, { signal });
        clock.learn(localTime as Date, asked);
      } catch (error) {
        // After a fail-over the new primary has another clock.
        clock.forget();
        readings = 0;
        throw error;
      }
      readings += 1;
      return readings < firstReadings;
    },
    log,
  });
  return { lastMoment: (deadline) => clock.at(deadline + toleranceMs), close: () => loop.close() };
}
