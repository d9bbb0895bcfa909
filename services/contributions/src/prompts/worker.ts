import { type Clock, type Logger, type Loop, startLoop, workerContext } from '@knowledge/runtime';
import type { PromptStore } from './store.js';

interface PromptClockParts {
  readonly stores: { readonly prompts: PromptStore };
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Opens and closes prompts at their times. Every replica runs it; each change still happens only once. It sleeps until
 * the next prompt is due, and looks again after each write of this process.
 */
export function startPromptClock({ stores: { prompts }, clock, log }: PromptClockParts): Loop {
  return startLoop({
    name: 'prompt clock',
    pauseMs: 1000,
    longestPauseMs: 10_000,
    log,
    round: async (signal) => {
      await prompts.advance(workerContext(signal, clock()));
      const next = await prompts.nextDue(signal);
      return next === undefined ? false : next.getTime() - clock().getTime();
    },
  });
}
