import type { Principal } from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { bearerToken } from '../http/bearer.js';
import { callContextOf } from '../upstream/call-context.js';
import type { TokenResolver } from '../upstream/tokens.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The owner of the Bearer token; set by `requireToken` and `acceptToken`. */
    principal: Principal | undefined;
  }
}

/** Lets routes require a token; call it before the first. */
export function registerPrincipal(app: FastifyInstance): void {
  app.decorateRequest('principal', undefined);
}

/** Requires a valid Bearer token before the body is read. Throws missing_token, invalid_token. */
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

/** Accepts an optional Bearer token, but refuses an invalid one. */
export function acceptToken(tokens: TokenResolver): onRequestAsyncHookHandler {
  return async (request) => {
    const token = bearerToken(request.raw);
    if (token !== undefined) request.principal = await tokens.resolve(token, callContextOf(request));
  };
}

/** The owner of the token, on a route with `requireToken`. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === undefined) throw new KnowledgeError('internal_error', 'A route without its token check.');
  return request.principal;
}
