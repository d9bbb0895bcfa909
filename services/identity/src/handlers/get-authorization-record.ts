import type {
  GetAuthorizationRecordRequest,
  GetAuthorizationRecordResponse,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import type { Clock } from '../clock.js';
import { isId } from '../domain/id.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { TransitionLog } from '../store/transitions.js';
import { callOf, lookOf } from './call.js';
import { presentRecord, presentTransition } from './present-record.js';

/** Who looks, and why, is stored. */
export function handleGetAuthorizationRecord(
  authorizations: AuthorizationStore,
  transitions: TransitionLog,
  clock: Clock,
): UnaryHandler<GetAuthorizationRecordRequest, GetAuthorizationRecordResponse> {
  return async ({ id, reason }, context) => {
    const call = callOf(context, clock);
    const found = isId(id) ? await authorizations.find(id, call) : undefined;
    if (found === undefined || found.state === 'erased') {
      throw new KnowledgeError('not_found', 'There is no authorization request with this id.');
    }
    const look = lookOf(context, clock, reason);
    const person = personHash(found.email);
    await transitions.record({ subject: 'authorization', id, person, to: 'viewed', ...look }, context.signal);
    return { authorization: { ...presentRecord(found, call.now), history: found.history.map(presentTransition) } };
  };
}
