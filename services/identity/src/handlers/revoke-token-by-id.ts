import type {
  RevokeTokenByIdRequest,
  RevokeTokenByIdResponse,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { isId } from '../domain/id.js';
import type { GrantStore } from '../store/grants.js';
import { actOf } from './call.js';
import { presentToken } from './present-token.js';

export function handleRevokeTokenById(
  grants: GrantStore,
  wakeOutbox: () => void,
  clock: Clock,
): UnaryHandler<RevokeTokenByIdRequest, RevokeTokenByIdResponse> {
  return async ({ tokenId, reason, keepWaiting }, context) => {
    const act = { ...actOf(context, clock, reason), withdrawWaiting: !keepWaiting };
    const token = isId(tokenId) ? await grants.revokeToken(tokenId, act, context.signal) : undefined;
    if (token === undefined) throw new KnowledgeError('not_found', 'There is no token with this id.');
    wakeOutbox();
    return { token: presentToken(token) };
  };
}
