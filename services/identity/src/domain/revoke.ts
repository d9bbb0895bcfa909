import type { Attribution } from '@knowledge/runtime';
import { type Authorization, type AuthorizationChange, changeState, purgeAfter, stateAt } from './authorization.js';
import { actors } from './transition.js';

/**
 * Ends a grant, even if its token was not fetched yet. The token can never be derived again. If a pending authorization
 * ends, the human declines it or another actor revokes it. Undefined if everything has already ended.
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

/** Ends a grant because its renewal now has a token. Undefined if this grant has no token or has ended. */
export function replaceGrant(authorization: Authorization, act: Attribution): AuthorizationChange | undefined {
  if (stateAt(authorization, act.at) !== 'issued') return undefined;
  const set = { timerAt: null, purgeAt: purgeAfter(act.at), grant: withoutSalt(authorization) };
  return changeState(authorization, 'renewed', act, set);
}

function withoutSalt({ grant }: Authorization): Authorization['grant'] {
  return grant && { ...grant, salt: null };
}
