import type { Act } from '@knowledge/runtime';
import { type Authorization, type AuthorizationChange, moved, purgeAfter, stateAt } from './authorization.js';
import { actors } from './transition.js';

/**
 * The end of a grant by somebody's will, its token fetched or not: the token can never be made again. A request that still
 * waits for its human is declined by them, or revoked by anybody else. Undefined if there is nothing to end.
 */
export function revokeGrant(authorization: Authorization, act: Act): AuthorizationChange | undefined {
  const set = { timerAt: null, purgeAt: purgeAfter(act.at) };
  switch (stateAt(authorization, act.at)) {
    case 'pending':
      if (act.actor !== actors.human) return moved(authorization, 'revoked', act, set);
      return moved(authorization, 'declined', act, { ...set, decision: 'decline', decidedAt: act.at });
    case 'confirmed':
      return moved(authorization, 'revoked', act, set);
    case 'issued':
      return moved(authorization, 'revoked', act, { ...set, grant: withoutSalt(authorization) });
    case 'declined':
    case 'expired':
    case 'revoked':
    case 'renewed':
    case 'erased':
      return undefined;
  }
}

/** The end of a grant whose newer one has its token; undefined if it has no token, or an ended one. */
export function replaceGrant(authorization: Authorization, act: Act): AuthorizationChange | undefined {
  if (stateAt(authorization, act.at) !== 'issued') return undefined;
  const set = { timerAt: null, purgeAt: purgeAfter(act.at), grant: withoutSalt(authorization) };
  return moved(authorization, 'renewed', act, set);
}

function withoutSalt({ grant }: Authorization): Authorization['grant'] {
  return grant && { ...grant, salt: null };
}
