import { type Clock, type Logger, type Loop, startLoop } from '@knowledge/runtime';
import type { Identity } from '../clients/identity.js';
import type { AgentEndStore } from '../store/agent-ends.js';

const heldMs = 500;

/**
 * Ends the access of agents whose texts were rejected with it. The decision recorded it in the contribution; every replica
 * runs this, and a repeated end changes nothing.
 */
export function startAgentEnds(
  ends: AgentEndStore,
  identity: Pick<Identity, 'endAgentAccess'>,
  clock: Clock,
  log: Logger,
): Loop {
  return startLoop({
    name: 'agent ends',
    pauseMs: 1000,
    longestPauseMs: 10_000,
    log,
    round: async (signal) => {
      const next = await ends.next(signal);
      if (next === undefined) return false;
      const waitMs = next.dueAt.getTime() - clock().getTime();
      if (waitMs > 0) return waitMs;
      // The end withdraws what still waits, and these texts are rejected.
      if (next.hasHeld) return heldMs;
      await identity.endAgentAccess(next, signal);
      await ends.done(next.authorizationId, signal);
      return true;
    },
  });
}
