import { errorCatalogue, hasCode, KnowledgeError, translateOutage } from '@knowledge/runtime';
import { failureBody, failureHeaders, uriTooLong } from '@knowledge/runtime/http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import createRouter from 'find-my-way';
import { mediaTypes, preferredType } from './negotiation.js';
import { isApiTarget } from './raw-request.js';
import { isPreflight, sendOptions } from './request-checks.js';

/** Renders a failure as a page for people. */
export type FailurePage = (error: KnowledgeError, request: FastifyRequest) => string;

/** Sends every failure of the application in the envelope. Register this handler before any route. */
export function registerErrorHandler(app: FastifyInstance, failurePage: FailurePage): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = toKnowledgeError(error, request);
    const line = {
      request_id: request.id,
      trace_id: request.watched.traceId,
      route: request.routeOptions.url,
      error: known.code,
    };
    if (known.code === 'unavailable') request.log.warn({ ...line, cause: rootMessage(known) }, 'request failed');
    else if (known.code === 'internal_error') request.log.error({ ...line, err: known }, 'request failed');
    return sendFailure(known, request, reply, failurePage);
  });
}

// Finds the root cause of an outage. The log shows only this, because a stack for each request adds nothing.
function rootMessage(error: Error): string {
  return error.cause instanceof Error ? rootMessage(error.cause) : error.message;
}

/** Sends a failure in the envelope under /api. Elsewhere it sends a page if `Accept` prefers HTML. */
export function sendFailure(
  error: KnowledgeError,
  request: FastifyRequest,
  reply: FastifyReply,
  failurePage: FailurePage,
): FastifyReply {
  if (isApiTarget(request.raw.url ?? '')) return sendEnvelope(error, reply);
  reply.header('vary', 'Accept');
  if (preferredType(request, [mediaTypes.json, mediaTypes.html]) === mediaTypes.json) return sendEnvelope(error, reply);
  return reply
    .code(errorCatalogue[error.code].http)
    .headers({ ...pageHeaders, ...failureHeaders(error) })
    .header('content-type', 'text/html; charset=utf-8')
    .send(failurePage(error, request));
}

function sendEnvelope(error: KnowledgeError, reply: FastifyReply) {
  return reply
    .code(errorCatalogue[error.code].http)
    .headers(failureHeaders(error))
    .header('content-type', 'application/json; charset=utf-8')
    .send(failureBody(error));
}

/** Turns any error into an error of the catalogue. For an unexpected error the caller sees only the request id. */
export function toKnowledgeError(error: unknown, request: Pick<FastifyRequest, 'id'>): KnowledgeError {
  const { statusCode, code, validation, validationContext } = error as Partial<FastifyError>;
  // Fastify reports this error if a caller disconnects while its body is read.
  if (statusCode === 400 && code === 'ECONNRESET')
    return new KnowledgeError('bad_request', 'The connection ended before the whole request arrived.', {
      cause: error,
    });
  const translated = translateOutage(error);
  if (translated instanceof KnowledgeError && translated.code !== 'internal_error') return translated;
  if (validation !== undefined)
    return new KnowledgeError('validation_error', (error as Error).message, { cause: error });
  if (validationContext === undefined && code !== undefined && Object.hasOwn(fastifyErrors, code)) {
    const known = fastifyErrors[code as keyof typeof fastifyErrors];
    return new KnowledgeError(known[0], known[1], { cause: error });
  }
  // All other 4xx errors of Fastify are faults of the caller too.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new KnowledgeError('bad_request', 'The request cannot be served as it was sent.', { cause: error });
  }
  return new KnowledgeError('internal_error', `Something went wrong; request ${request.id}.`, { cause: error });
}

const fastifyErrors = {
  FST_ERR_BAD_URL: ['bad_request', 'The path cannot be decoded: it must be percent-encoded UTF-8.'],
  FST_ERR_ASYNC_CONSTRAINT: ['bad_request', 'The request cannot be routed.'],
  // A path segment has the same limit as the request target, so here the target is too long as well.
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', uriTooLong().message],
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is over 128 KiB (131072 bytes); send a smaller one.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json, in UTF-8.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The body does not have the length that Content-Length gives.'],
} as const;

/** Rethrows an error of a list with the names of the API. A service calls `cursor` `page_token`, and `q` `query`. */
export function rejectInCallersTerms(error: unknown): never {
  if (!hasCode(error, 'validation_error')) throw error;
  const message = error.message
    .replace(/^page_token .*/, 'cursor: does not belong to this listing; begin again without it.')
    .replace(/(^|; )([a-z_]+) must /g, (_, before, name) => `${before}${name === 'query' ? 'q' : name}: must `);
  throw new KnowledgeError('validation_error', message, { cause: error });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a path is for, where a caller with another method may not know it. */
    readonly purpose?: string;
  }
}

type Router = Pick<ReturnType<typeof createRouter>, 'find'>;

const offered: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

/**
 * Refuses unknown paths with not_found, and known paths with another method with method_not_allowed and `Allow`.
 * Register this before any route.
 */
export function registerNotFound(app: FastifyInstance): void {
  const router = createRouter({ maxParamLength: 16 * 1024, ignoreTrailingSlash: true });
  app.addHook('onRoute', ({ method, url, config }) => {
    if (url.includes('*')) return;
    for (const each of Array.isArray(method) ? method : [method]) {
      if (each !== 'OPTIONS' && router.findRoute(each as 'GET', url) === null)
        router.on(each as 'GET', url, () => undefined, config?.purpose);
    }
  });
  // Runs before the body is read, so that a broken body on an unknown path gets not_found.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const allowed = allowedAt(request.raw.url ?? '/', router);
    const isKnown = allowed.length > 0;
    if (!isKnown && !isPreflight(request)) return done(nothingAt(request.raw.url ?? '/'));
    if (isKnown) reply.header('allow', [...allowed, 'OPTIONS'].join(', '));
    if (request.method !== 'OPTIONS') {
      const purpose: string = router.find(allowed[0] as 'GET', pathIn(request.raw.url ?? '/'))?.store ?? '';
      return done(new KnowledgeError('method_not_allowed', `${purpose}This path takes ${allowed.join(', ')}.`));
    }
    sendOptions(request, reply);
  });
}

function allowedAt(target: string, router: Router) {
  return offered.filter((method) => router.find(method as 'GET', pathIn(target)) !== null);
}

function pathIn(target: string) {
  return target.split('?')[0] ?? '/';
}

function nothingAt(target: string) {
  const where = isApiTarget(target)
    ? 'GET /api/v1/capabilities lists every path'
    : '/api/agent tells where everything is';
  return new KnowledgeError('not_found', `Nothing is at this path. ${where}.`);
}

/**
 * The security headers of every page (SECURITY.md#http-edge). They forbid scripts, frames and resources of other
 * origins.
 */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;
