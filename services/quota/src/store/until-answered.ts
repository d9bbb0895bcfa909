import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '@knowledge/runtime';

/** Repeats an operation while MongoDB is unreachable, until the signal aborts. The operation must be safe to repeat. */
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
