import { type Authorization, type AuthorizationChange, moved, purgeAfter, stateAt } from './authorization.js';
import type { Act } from './transition.js';

/**
 * The end of a grant by somebody's will, its token fetched or not: the token can never be made again. A request that still
 * waits for its human is declined. Undefined if there is nothing to end.
 */
export function revokeGrant(authorization: Authorization, act: Act): AuthorizationChange | undefined {
  const set = { timerAt: null, purgeAt: purgeAfter(act.at) };
  switch (stateAt(authorization, act.at)) {
    case 'pending':
      return moved(authorization, 'declined', act, { ...set, decision: 'decline', decidedAt: act.at });
    case 'confirmed':
      return moved(authorization, 'revoked', act, set);
    case 'issued': {
      const { grant } = authorization;
      return moved(authorization, 'revoked', act, { ...set, grant: grant && { ...grant, salt: null } });
    }
    case 'declined':
    case 'expired':
    case 'revoked':
    case 'erased':
      return undefined;
  }
}
