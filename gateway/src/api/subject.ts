import type { Principal } from '@knowledge/proto/knowledge/identity/v1/identity';
import { type Charge, Policy, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import { KnowledgeError } from '@knowledge/runtime';
import { clientAddressOf } from '@knowledge/runtime/http';
import { isPlaceholder } from '@knowledge/runtime/names';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { bearerToken, headerText } from '../http/bearer.js';
import { limits } from '../protocol/limits.js';
import { type CallContext, callContextOf } from '../upstream/calls.js';
import type { TokenResolver } from '../upstream/tokens.js';

/** The subject whose reads quota counts (gateway/PROTOCOL.md#who-reads). */
export interface Subject {
  /** The name that the API shows. */
  readonly kind: 'verified_email' | 'client_id' | 'address';
  /** The charges of one read: the subject's own policy and, for callers without a token, the cap of the address. */
  readonly charges: Charge[];
}

/**
 * Finds the subject of a request: the mailbox of a valid Bearer token, else the client id, else the address. Throws
 * invalid_token for a bad token, validation_error for a bad client id, unavailable if the token cannot be checked.
 */
export function subjectOf(
  request: FastifyRequest,
  tokens: TokenResolver,
  context: CallContext,
): Subject | Promise<Subject> {
  const clientId = clientIdOf(request);
  const token = bearerToken(request.raw);
  if (token !== undefined) return tokens.resolve(token, context).then(verified);
  const address = clientAddressOf(request);
  return clientId === undefined
    ? anonymous('address', Policy.READ_ADDRESS, SubjectKind.ADDRESS, address, address)
    : anonymous('client_id', Policy.READ_CLIENT_ID, SubjectKind.CLIENT_ID, clientId, address);
}

function verified({ email }: Principal): Subject {
  const subject = { kind: SubjectKind.EMAIL, value: email };
  return { kind: 'verified_email', charges: [{ policy: Policy.READ_VERIFIED_EMAIL, subject }] };
}

function anonymous(kind: Subject['kind'], policy: Policy, wireKind: SubjectKind, value: string, ip: string): Subject {
  return {
    kind,
    charges: [
      { policy, subject: { kind: wireKind, value } },
      { policy: Policy.READ_ADDRESS_CAP, subject: { kind: SubjectKind.ADDRESS, value: ip } },
    ],
  };
}

/** Returns the client id of a request; undefined without the header. Throws validation_error. */
export function clientIdOf(request: FastifyRequest): string | undefined {
  const text = headerText(request, 'X-Agent-Client-Id', limits.clientId);
  if (text === undefined) return undefined;
  if (/\p{Cc}/u.test(text)) throw invalid('must not contain control characters');
  if (isPlaceholder(text))
    throw invalid(
      'is a placeholder that the configuration of your client left unfilled; set a stable name of your own',
    );
  return text;
}

function invalid(what: string) {
  return new KnowledgeError('validation_error', `X-Agent-Client-Id: ${what}.`);
}

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
