import type { CallContext } from '@knowledge/runtime';
import { type Authorization, stateAt } from '../domain/authorization.js';
import type { TokenStore } from './tokens.js';

/**
 * The end of the access that this authorization renews. Undefined if that access has ended, or if this authorization is
 * confirmed.
 */
export async function renewedUntil(
  authorization: Authorization,
  tokens: Pick<TokenStore, 'validOf'>,
  call: CallContext,
): Promise<Date | undefined> {
  const { renews, email, rootAuthorizationId } = authorization;
  const state = stateAt(authorization, call.now);
  if (renews === null || state === 'confirmed' || state === 'issued' || state === 'renewed') return undefined;
  return (await tokens.validOf({ email, rootAuthorizationId }, call))?.expiresAt;
}
