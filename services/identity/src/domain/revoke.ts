import { type Authorization, type AuthorizationChange, moved, purgeAfter } from './authorization.js';
import type { Act } from './transition.js';

/**
 * The revocation of a grant, its token fetched or not: the token can never be made again. Undefined if there is nothing
 * to revoke.
 */
export function revokeGrant(authorization: Authorization, act: Act): AuthorizationChange | undefined {
  const { state, grant } = authorization;
  if (state !== 'confirmed' && state !== 'issued') return undefined;
  return moved(authorization, 'revoked', act, {
    grant: grant && { ...grant, salt: null },
    purgeAt: purgeAfter(act.at),
  });
}
