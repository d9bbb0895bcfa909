import type { Attribution } from '@knowledge/runtime';
import { type Authorization, type AuthorizationChange, changeState, purgeAfter, stateAt } from './authorization.js';
import { actors } from './transition.js';

/**
 * Ends a grant, whether or not its token was fetched; the token can never be derived again. A pending authorization is
 * declined by its human, or revoked by anybody else. Undefined if nothing is left to end.
 */
export function revokeGrant(authorization: Authorization, act: Attribution): AuthorizationChange | undefined {
  const set = { timerAt: null, purgeAt: purgeAfter(act.at) };
  switch (stateAt(authorization, act.at)) {
    case 'pending':
      if (act.actor !== actors.human) return changeState(authorization, 'revoked', act, set);
      return changeState(authorization, 'declined', act, { ...set, decision: 'decline', decidedAt: act.at });
    case 'confirmed':
      return changeState(authorization, 'revoked', act, set);
    case 'issued':
      return changeState(authorization, 'revoked', act, { ...set, grant: withoutSalt(authorization) });
    case 'declined':
    case 'expired':
    case 'revoked':
    case 'renewed':
    case 'erased':
      return undefined;
  }
}

/** Ends a grant because a renewal has its own token now. Undefined if it has no token or has ended. */
export function replaceGrant(authorization: Authorization, act: Attribution): AuthorizationChange | undefined {
  if (stateAt(authorization, act.at) !== 'issued') return undefined;
  const set = { timerAt: null, purgeAt: purgeAfter(act.at), grant: withoutSalt(authorization) };
  return changeState(authorization, 'renewed', act, set);
}

function withoutSalt({ grant }: Authorization): Authorization['grant'] {
  return grant && { ...grant, salt: null };
}
