import { type Clock, type Logger, type Loop, startLoop, workerContext } from '@knowledge/runtime';
import type { PromptStore } from '../store/prompts.js';

/** Opens and closes prompts on time. Every replica runs it, and each change happens once. */
export function startPromptClock(prompts: PromptStore, clock: Clock, log: Logger): Loop {
  return startLoop({
    name: 'prompt clock',
    pauseMs: 1000,
    log,
    round: async (signal) => {
      await prompts.advance(workerContext(signal, clock()));
      return false;
    },
  });
}
