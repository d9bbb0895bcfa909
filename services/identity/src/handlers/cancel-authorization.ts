import type {
  CancelAuthorizationRequest,
  CancelAuthorizationResponse,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { stateAt } from '../domain/authorization.js';
import { isId } from '../domain/id.js';
import { revokeGrant } from '../domain/revoke.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import { actOf, callOf } from './call.js';
import { presentRecord, presentTransition } from './present-record.js';

/** Ends a request that waits for its human; the end of an access is `RevokeTokenById`. */
export function handleCancelAuthorization(
  authorizations: AuthorizationStore,
  clock: Clock,
): UnaryHandler<CancelAuthorizationRequest, CancelAuthorizationResponse> {
  return async ({ id, reason }, context) => {
    const act = actOf(context, clock, reason);
    const call = callOf(context, clock);
    const unknown = new KnowledgeError('not_found', 'There is no authorization request with this id.');
    if (!isId(id)) throw unknown;
    const state = await authorizations.change(
      id,
      (found) => {
        const was = stateAt(found, call.now);
        return { result: was, change: was === 'pending' ? revokeGrant(found, act) : undefined };
      },
      call,
    );
    const now = await authorizations.find(id, call);
    if (state === undefined || state === 'erased' || now === undefined) throw unknown;
    if (now.state !== 'revoked') {
      throw new KnowledgeError('invalid_state', `The request is ${state}; only a pending one can be cancelled.`);
    }
    return { authorization: { ...presentRecord(now, call.now), history: now.history.map(presentTransition) } };
  };
}
