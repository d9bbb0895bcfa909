import type { RevokeTokenRequest, RevokeTokenResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { isId } from '../domain/id.js';
import { invalidToken } from '../domain/token.js';
import { actors } from '../domain/transition.js';
import type { GrantStore } from '../store/grants.js';

/** Revokes the caller's own token; a repeat after a lost answer gets the first answer again. */
export function handleRevokeToken(
  grants: GrantStore,
  wakeOutbox: () => void,
  clock: Clock,
): UnaryHandler<RevokeTokenRequest, RevokeTokenResponse> {
  return async ({ tokenId }, context) => {
    const act = { actor: actors.agent, at: clock(), reason: '', withdrawWaiting: false };
    const token = isId(tokenId) ? await grants.revokeToken(tokenId, act, context.signal) : undefined;
    wakeOutbox();
    if (!token?.revokedAt) throw invalidToken();
    return { revokedAt: token.revokedAt };
  };
}
