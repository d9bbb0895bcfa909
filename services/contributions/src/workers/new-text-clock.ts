import { type Clock, hasCode, type Logger, type Loop, startLoop, workerContext } from '@knowledge/runtime';
import { endWithoutNewText } from '../domain/new-text.js';
import type { ContributionStore } from '../store/contributions.js';

/**
 * Withdraws contributions whose agents sent no new text in time. Every replica runs it; each withdrawal still happens
 * only once.
 */
export function startNewTextClock(contributions: ContributionStore, clock: Clock, log: Logger): Loop {
  return startLoop({
    name: 'new text clock',
    pauseMs: 1000,
    longestPauseMs: 60_000,
    log,
    round: async (signal) => {
      const call = workerContext(signal, clock());
      const due = await contributions.withoutNewText(call.now, signal);
      for (const id of due) {
        try {
          await contributions.change(id, (each) => endWithoutNewText(each, call.now), call);
        } catch (error) {
          // The person was erased meanwhile.
          if (!hasCode(error, 'not_found')) throw error;
        }
      }
      return due.length > 0;
    },
  });
}
