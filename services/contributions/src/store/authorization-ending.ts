import type { CallContext } from '@knowledge/runtime';
import { hasCode } from '@knowledge/runtime';
import { withdrawalReasons } from '@knowledge/runtime/product';
import type { AuthorizationEnd } from '../domain/authorization-end.js';
import type { Contribution } from '../domain/contribution.js';
import { type Outcome, review } from '../domain/review.js';
import type { AuthorizationStore } from './authorizations.js';
import type { ContributionStore } from './contributions.js';

export interface AuthorizationEnding {
  authorizationIds: readonly string[];
  /** If set, only contributions of this person are withdrawn. */
  email: string | undefined;
  end: AuthorizationEnd;
  /** Whether contributions that wait for review are also withdrawn. */
  withdrawWaiting: boolean;
}

/**
 * Ends authorizations. Later contributions are refused, and waiting ones are withdrawn if requested. It may be repeated
 * and may run in parallel.
 */
export type EndAuthorizations = (ending: AuthorizationEnding, call: CallContext) => Promise<void>;

export function createAuthorizationEnding(
  authorizations: AuthorizationStore,
  contributions: ContributionStore,
): EndAuthorizations {
  const withdraw = async (id: string, decide: (contribution: Contribution) => Outcome, call: CallContext) => {
    try {
      await contributions.change(id, decide, call);
    } catch (error) {
      // The contribution was decided or erased meanwhile, so it no longer waits.
      if (!hasCode(error, 'invalid_state') && !hasCode(error, 'not_found')) throw error;
    }
  };

  return async ({ authorizationIds, email, end, withdrawWaiting }, call) => {
    // The end is stored before the withdrawal, so that no contribution can arrive in between.
    for (const id of authorizationIds) await authorizations.end(id, end, call.signal);
    if (!withdrawWaiting) return;
    const act = { actor: end.by, at: call.now, reason: withdrawalReasons.accessEnded, requestId: call.requestId };
    const decide = review({ command: { kind: 'withdraw' }, act });
    for (const id of await contributions.waitingOf(authorizationIds, email, call.signal))
      await withdraw(id, decide, call);
  };
}
