import type { Principal } from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { bearerToken } from '../http/bearer.js';
import { callContextOf } from '../upstream/call-context.js';
import type { TokenResolver } from '../upstream/tokens.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The owner of the Bearer token. The hooks `requireToken` and `acceptToken` set it. */
    principal: Principal | undefined;
  }
}

/** Prepares requests for `requireToken` and `acceptToken`. Call it before you register the first route. */
export function registerPrincipal(app: FastifyInstance): void {
  app.decorateRequest('principal', undefined);
}

/** Makes a hook that requires a valid Bearer token before the body is read. Throws missing_token, invalid_token. */
export function requireToken(tokens: TokenResolver): onRequestAsyncHookHandler {
  return async (request) => {
    const token = bearerToken(request.raw, true);
    if (token === undefined) {
      throw new KnowledgeError(
        'missing_token',
        'Send your write token as "Authorization: Bearer …"; POST /api/v1/agent/authorize gets one.',
      );
    }
    request.principal = await tokens.resolve(token, callContextOf(request));
  };
}

/** Makes a hook that accepts requests without a token, but refuses an invalid token. */
export function acceptToken(tokens: TokenResolver): onRequestAsyncHookHandler {
  return async (request) => {
    const token = bearerToken(request.raw);
    if (token !== undefined) request.principal = await tokens.resolve(token, callContextOf(request));
  };
}

/** Returns the owner of the token. The route must have the hook `requireToken`. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === undefined) throw new KnowledgeError('internal_error', 'A route without its token check.');
  return request.principal;
}
