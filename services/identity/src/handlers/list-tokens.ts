import type { ListTokensRequest, ListTokensResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { pageToken, readPageQuery } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import type { Clock } from '../clock.js';
import { readEmail } from '../domain/email.js';
import type { TokenStore } from '../store/tokens.js';
import type { TransitionLog } from '../store/transitions.js';
import { callOf, lookOf } from './call.js';
import { presentToken } from './present-token.js';

/** Who looks, and why, is stored. */
export function handleListTokens(
  tokens: TokenStore,
  transitions: TransitionLog,
  clock: Clock,
): UnaryHandler<ListTokensRequest, ListTokensResponse> {
  return async (request, context) => {
    const email = readEmail(request.email);
    const { items, next } = await tokens.list(email, readPageQuery(request), callOf(context, clock));
    const person = personHash(email);
    const look = lookOf(context, clock, request.reason);
    await transitions.record({ subject: 'person', id: person, person, to: 'viewed', ...look }, context.signal);
    return { tokens: items.map(presentToken), nextPageToken: pageToken(next) };
  };
}
