import type { CallContext } from '@knowledge/runtime';
import { hasCode } from '@knowledge/runtime';
import type { AuthorizationEnd } from '../domain/authorization-end.js';
import type { Contribution } from '../domain/contribution.js';
import { accessEndedReason, type Outcome, review } from '../domain/review.js';
import type { AuthorizationStore } from './authorizations.js';
import type { ContributionStore } from './contributions.js';

/** What comes to an end. */
export interface Ending {
  authorizationIds: readonly string[];
  /** Only what is this person's; undefined where the caller knows whose the authorizations are. */
  email: string | undefined;
  end: AuthorizationEnd;
  /** Whether what waits for review is withdrawn. */
  withdrawWaiting: boolean;
}

/**
 * Ends authorizations: nothing more is taken with them, and what waits is withdrawn. Safe to repeat, and with another at the
 * same time: what one withdrew, the other does not find.
 */
export type EndAuthorizations = (ending: Ending, call: CallContext) => Promise<void>;

/** Ending over these stores. */
export function createEnding(authorizations: AuthorizationStore, contributions: ContributionStore): EndAuthorizations {
  const withdraw = async (id: string, decide: (contribution: Contribution) => Outcome, call: CallContext) => {
    try {
      await contributions.change(id, decide, call);
    } catch (error) {
      // Decided or erased by somebody else in this moment: it waits no more.
      if (!hasCode(error, 'invalid_state') && !hasCode(error, 'not_found')) throw error;
    }
  };

  return async ({ authorizationIds, email, end, withdrawWaiting }, call) => {
    // First the end, then what waits: what arrives in between is refused.
    for (const id of authorizationIds) await authorizations.end(id, end, call.signal);
    if (!withdrawWaiting) return;
    const act = { actor: end.by, at: call.now, reason: accessEndedReason, requestId: call.requestId };
    const decide = review({ command: { kind: 'withdraw' }, act });
    for (const id of await contributions.waitingOf(authorizationIds, email, call.signal))
      await withdraw(id, decide, call);
  };
}
