import { type Logger, type Loop, startLoop } from '@knowledge/runtime';
import type { Clock } from '../clock.js';
import type { PromptStore } from '../store/prompts.js';

/** Opens and closes prompts at their times. Any number of replicas may run it: each change happens once. */
export function startPromptClock(prompts: PromptStore, clock: Clock, log: Logger): Loop {
  return startLoop({
    name: 'prompt clock',
    pauseMs: 1000,
    log,
    round: async (signal) => {
      await prompts.advance({ signal, now: clock() });
      return false;
    },
  });
}
