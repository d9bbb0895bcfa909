import type {
  GetAuthorizationRecordRequest,
  GetAuthorizationRecordResponse,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { isId } from '../domain/id.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import { callOf } from './call.js';
import { presentRecord, presentTransition } from './present-record.js';

export function handleGetAuthorizationRecord(
  authorizations: AuthorizationStore,
  clock: Clock,
): UnaryHandler<GetAuthorizationRecordRequest, GetAuthorizationRecordResponse> {
  return async ({ id }, context) => {
    const call = callOf(context, clock);
    const found = isId(id) ? await authorizations.find(id, call) : undefined;
    if (found === undefined || found.state === 'erased') {
      throw new KnowledgeError('not_found', 'There is no authorization request with this id.');
    }
    return { authorization: { ...presentRecord(found, call.now), history: found.history.map(presentTransition) } };
  };
}
