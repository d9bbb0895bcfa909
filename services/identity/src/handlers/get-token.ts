import type { GetTokenRequest, GetTokenResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { isId } from '../domain/id.js';
import { invalidToken, isValid } from '../domain/token.js';
import type { TokenStore } from '../store/tokens.js';
import { callOf } from './call.js';
import { presentToken } from './present-token.js';

export function handleGetToken(tokens: TokenStore, clock: Clock): UnaryHandler<GetTokenRequest, GetTokenResponse> {
  return async ({ tokenId }, context) => {
    const call = callOf(context, clock);
    const token = isId(tokenId) ? await tokens.find(tokenId, call) : undefined;
    if (token === undefined || !isValid(token, call.now)) throw invalidToken(token);
    return { token: presentToken(token) };
  };
}
