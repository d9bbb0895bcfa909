import { type Clock, hasCode, type Logger, type Loop, startLoop, workerContext } from '@knowledge/runtime';
import { applyHeld } from '../domain/held-decision.js';
import type { ContributionStore } from '../store/contributions.js';
import type { HeldDecisionStore } from '../store/held-decisions.js';

const atOnce = 8;

/**
 * Applies held decisions when their time comes. Every replica runs it; each decision still takes effect once, since a
 * change is a compare-and-set. It sleeps until the next one is due, and looks again after each write of this process.
 */
export function startHeldDecisions(
  held: HeldDecisionStore,
  contributions: Pick<ContributionStore, 'change'>,
  clock: Clock,
  log: Logger,
): Loop {
  const apply = async (id: string, now: Date, signal: AbortSignal): Promise<void> => {
    try {
      await contributions.change(id, (contribution) => applyHeld(contribution, now), workerContext(signal, now));
    } catch (error) {
      // The person was erased meanwhile, so there is nothing left to decide.
      if (!hasCode(error, 'not_found')) throw error;
    }
  };

  return startLoop({
    name: 'held decisions',
    pauseMs: 1000,
    // Decisions are held for longer, so a replica knows them in time even if another one stored them and died.
    longestPauseMs: 5000,
    log,
    round: async (signal) => {
      const waiting = await held.next(atOnce, signal);
      const now = clock();
      const due = waiting.filter(({ takesEffectAt }) => takesEffectAt <= now);
      await Promise.all(due.map(({ id }) => apply(id, now, signal)));
      if (due.length > 0) return true;
      return waiting[0] === undefined ? false : waiting[0].takesEffectAt.getTime() - clock().getTime();
    },
  });
}
