import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '@knowledge/runtime';

/** Repeats what is safe to repeat while MongoDB is away, so that a fail-over is bridged, until the signal aborts. */
export async function untilAnswered<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (signal.aborted || !isOutage(error)) throw error;
      await pause(25 + Math.random() * 50);
    }
  }
}
