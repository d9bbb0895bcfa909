import type { ListTokensRequest, ListTokensResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { pageToken, readIdPrefix, readPageQuery } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import type { Clock } from '../clock.js';
import { readEmail } from '../domain/email.js';
import type { TokenFilter, TokenStore } from '../store/tokens.js';
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
    const filter = readFilter(request);
    const { items, next } = await tokens.list(filter, readPageQuery(request), callOf(context, clock));
    const look = lookOf(context, clock, request.reason);
    await transitions.record({ ...lookedAt(filter), ...look }, context.signal);
    return { tokens: items.map(presentToken), nextPageToken: pageToken(next) };
  };
}

// Nobody lists the tokens of everybody: without an e-mail a token must be named.
function readFilter({ email, idPrefix }: ListTokensRequest): TokenFilter {
  const prefix = readIdPrefix(idPrefix);
  return { email: email === '' && prefix !== undefined ? undefined : readEmail(email), idPrefix: prefix };
}

function lookedAt({ email }: TokenFilter) {
  if (email === undefined) return { subject: 'person', id: '', to: 'listed' } as const;
  const person = personHash(email);
  return { subject: 'person', id: person, person, to: 'viewed' } as const;
}
