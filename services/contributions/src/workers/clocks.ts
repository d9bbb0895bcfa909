import {
  actors,
  type Clock,
  earlier,
  type Logger,
  type Loop,
  startLoop,
  unlessNotFound,
  workerContext,
} from '@knowledge/runtime';
import type { Identity } from '../clients/identity.js';
import { withdrawnKeptMs } from '../domain/erasure.js';
import { applyHeld } from '../domain/held-decision.js';
import { endWithoutNewText } from '../domain/new-text.js';
import type { Stores } from '../stores.js';

/** What the workers that wait for a time need. */
interface ClockParts {
  readonly stores: Stores;
  readonly identity: Pick<Identity, 'endAgentAccess'>;
  readonly clock: Clock;
  readonly log: Logger;
}

const atOnce = 8;

/**
 * Applies held decisions when their time comes. Every replica runs it; each decision still takes effect once, since a
 * change is a compare-and-set. It sleeps until the next one is due, and looks again after each write of this process.
 */
export function startHeldDecisions({ stores, clock, log }: ClockParts): Loop {
  const { heldDecisions, contributions } = stores;
  const apply = async (id: string, now: Date, signal: AbortSignal) => {
    const applied = contributions.change(id, (each) => applyHeld(each, now), workerContext(signal, now));
    // If the person was erased meanwhile, there is nothing left to decide.
    await applied.catch(unlessNotFound);
  };

  return startLoop({
    name: 'held decisions',
    pauseMs: 1000,
    // Decisions are held for longer, so a replica knows them in time even if another one stored them and died.
    longestPauseMs: 5000,
    log,
    round: async (signal) => {
      const waiting = await heldDecisions.next(atOnce, signal);
      const now = clock();
      const due = waiting.filter(({ takesEffectAt }) => takesEffectAt <= now);
      await Promise.all(due.map(({ id }) => apply(id, now, signal)));
      if (due.length > 0) return true;
      return waiting[0] === undefined ? false : waiting[0].takesEffectAt.getTime() - clock().getTime();
    },
  });
}

const heldMs = 500;

/**
 * Ends the access of agents whose texts were rejected with it. The decision recorded it in the contribution; every replica
 * runs this, and a repeated end changes nothing.
 */
export function startAgentEnds({ stores: { agentEnds }, identity, clock, log }: ClockParts): Loop {
  return startLoop({
    name: 'agent ends',
    pauseMs: 1000,
    longestPauseMs: 10_000,
    log,
    round: async (signal) => {
      const next = await agentEnds.next(signal);
      if (next === undefined) return false;
      const waitMs = next.dueAt.getTime() - clock().getTime();
      if (waitMs > 0) return waitMs;
      // The end withdraws what still waits, and these texts are rejected.
      if (next.hasHeld) return heldMs;
      await identity.endAgentAccess(next, signal);
      await agentEnds.done(next.authorizationId, signal);
      return true;
    },
  });
}

/**
 * Withdraws contributions whose agents sent no new text in time. Every replica runs it; each withdrawal still happens
 * only once.
 */
export function startNewTextClock({ stores: { contributions }, clock, log }: ClockParts): Loop {
  return startLoop({
    name: 'new text clock',
    pauseMs: 1000,
    longestPauseMs: 60_000,
    log,
    round: async (signal) => {
      const call = workerContext(signal, clock());
      const due = await contributions.withoutNewText(call.now, signal);
      for (const id of due) {
        // The person may have been erased meanwhile.
        await contributions.change(id, (each) => endWithoutNewText(each, call.now), call).catch(unlessNotFound);
      }
      return due.length > 0;
    },
  });
}

/** Erases what was withdrawn long ago, and deletes erased contributions when the catalog and the log have the erasure. */
export function startPurger({ stores: { personalData }, clock, log }: ClockParts): Loop {
  return startLoop({
    name: 'purger',
    pauseMs: 2000,
    longestPauseMs: 10_000,
    log,
    round: async (signal) => {
      const call = workerContext(signal, clock());
      const due = { updatedAt: { $lte: earlier(call.now, withdrawnKeptMs) } };
      const erased = await personalData.eraseWithdrawn(due, { actor: actors.system, at: call.now, reason: '' }, call);
      return erased + (await personalData.purge(signal)) > 0;
    },
  });
}

/** Assesses new and changed texts. */
export function startAssessor({ stores: { backlog }, log }: ClockParts): Loop {
  return startLoop({
    name: 'assessor',
    pauseMs: 2000,
    longestPauseMs: 30_000,
    log,
    round: async (signal) => (await backlog.assessNext(signal)) > 0,
  });
}
