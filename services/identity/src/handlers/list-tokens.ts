import type { ListTokensRequest, ListTokensResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { pageToken, readPageQuery } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { readEmail } from '../domain/email.js';
import type { TokenStore } from '../store/tokens.js';
import { callOf } from './call.js';
import { presentToken } from './present-token.js';

export function handleListTokens(
  tokens: TokenStore,
  clock: Clock,
): UnaryHandler<ListTokensRequest, ListTokensResponse> {
  return async (request, context) => {
    const { items, next } = await tokens.list(readEmail(request.email), readPageQuery(request), callOf(context, clock));
    return { tokens: items.map(presentToken), nextPageToken: pageToken(next) };
  };
}
