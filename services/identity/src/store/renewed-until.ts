import type { CallContext } from '@knowledge/runtime';
import { type Authorization, stateAt } from '../domain/authorization.js';
import type { TokenStore } from './tokens.js';

/** Until when the access goes on that a request would renew; undefined where it has ended, or the yes to the request holds. */
export async function renewedUntil(
  authorization: Authorization,
  tokens: Pick<TokenStore, 'validOf'>,
  call: CallContext,
): Promise<Date | undefined> {
  const { renews, email, lineId } = authorization;
  const state = stateAt(authorization, call.now);
  if (renews === null || state === 'confirmed' || state === 'issued' || state === 'renewed') return undefined;
  return (await tokens.validOf({ email, lineId }, call))?.expiresAt;
}
