import type { GetTokenRecordRequest, GetTokenRecordResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import { isId } from '../domain/id.js';
import type { TokenStore } from '../store/tokens.js';
import { callOf, lookOf } from './call.js';
import { presentAsked, type RecordDeps } from './get-authorization-record.js';
import { presentTransition } from './present-record.js';
import { presentToken } from './present-token.js';

/** Who looks, and why, is stored. */
export function handleGetTokenRecord(
  deps: RecordDeps & { tokens: TokenStore },
): UnaryHandler<GetTokenRecordRequest, GetTokenRecordResponse> {
  const { tokens, authorizations, transitions, clock } = deps;
  return async ({ id, reason }, context) => {
    const call = callOf(context, clock);
    const token = isId(id) ? await tokens.find(id, call) : undefined;
    if (token === undefined || token.state === 'erased') {
      throw new KnowledgeError('not_found', 'There is no token with this id.');
    }
    const look = lookOf(context, clock, reason);
    const person = personHash(token.email);
    await transitions.record({ subject: 'token', id, person, to: 'viewed', ...look }, context.signal);
    const request = await authorizations.find(token.authorizationId, call);
    return {
      token: presentToken(token),
      history: token.history.map(presentTransition),
      authorization: request && (await presentAsked(request, deps, call)),
    };
  };
}
