import { type Deadline, KnowledgeError, type Logger, sites } from '@knowledge/runtime';
import { headerFault, httpLimits, pathOf, uriTooLong } from '@knowledge/runtime/http';
import { type RequestTrace, type RequestWatch, unmatchedRoute } from '@knowledge/runtime/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { isApiTarget, logRequest } from './raw-request.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The time at which the response must be sent: 3 s after the body has arrived. */
    deadline: Deadline;
    /** The time at which the request's body began to arrive. */
    bodyBegan: number;
    watched: RequestTrace;
  }

  interface FastifyContextConfig {
    /** Whether `?site=` may also be `all`. */
    readonly takesAllSites?: boolean;
    /** Whether the operation judges `If-Match`. */
    readonly takesIfMatch?: boolean;
  }
}

/**
 * Checks every request before its route. It also sets the deadline, begins the trace, and logs and measures the
 * request.
 */
export function registerRequestChecks(
  app: FastifyInstance,
  { config, watch }: { config: Pick<GatewayConfig, 'HSTS_SECONDS'>; watch: RequestWatch },
): void {
  app.decorateRequest('deadline', 0);
  app.decorateRequest('bodyBegan', 0);
  app.decorateRequest('watched');
  app.addHook('onRequest', (request, reply, done) => {
    request.deadline = Date.now() + httpLimits.responseMs;
    request.watched = watch.begin(request.method, routeOf(request), request.headers);
    reply.headers(commonHeaders(request.id, config));
    addOriginHeaders(request, reply);
    done(refusal(request) ?? preconditionFault(request));
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    request.bodyBegan = Date.now();
    done();
  });
  // Checks `site` for every operation, so that a misspelled site is never ignored (gateway/PROTOCOL.md#sites-and-urls).
  app.addHook('preValidation', (request, _reply, done) => {
    request.deadline += Date.now() - request.bodyBegan;
    const { site } = (request.query ?? {}) as { site?: unknown };
    const known = [...sites, ...(request.routeOptions.config.takesAllSites ? ['all'] : [])];
    const wrong = site !== undefined && !known.includes(site as string) && isApiTarget(request.raw.url ?? '');
    const message = `site: must be ${known.join(' or ')}, given once.`;
    done(wrong ? new KnowledgeError('validation_error', message) : nulFault(request));
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method } = request;
    const { statusCode: status, elapsedTime: ms } = reply;
    const route = routeOf(request);
    // If a request target cannot be decoded, the hooks before this one did not run.
    const watched = request.watched ?? watch.begin(method, route, {});
    watch.end(watched, method, route, status, ms);
    logRequest(request.log as Logger, { id, trace: watched.traceId, method, route, status, ms });
    done();
  });
}

/** The headers of every response. */
export function commonHeaders(id: string, { HSTS_SECONDS: hsts }: Pick<GatewayConfig, 'HSTS_SECONDS'>) {
  return {
    'x-request-id': id,
    'x-content-type-options': 'nosniff',
    ...(hsts > 0 && { 'strict-transport-security': `max-age=${hsts}` }),
  };
}

function routeOf({ routeOptions }: FastifyRequest) {
  return routeOptions.url ?? unmatchedRoute;
}

function refusal(request: FastifyRequest) {
  const { raw } = request;
  const target = raw.url ?? '/';
  if (target.length > httpLimits.targetBytes && !isPreflight(request)) return uriTooLong();
  const fault = headerFault(raw);
  if (fault !== undefined) return fault;
  const query = target.indexOf('?');
  if (query >= 0 && target.includes('%', query) && !isPreflight(request) && !isDecodable(target.slice(query + 1))) {
    return new KnowledgeError('bad_request', 'The query cannot be decoded: it must be percent-encoded UTF-8.');
  }
  return undefined;
}

// A change that its caller made conditional must not happen without the condition.
function preconditionFault({ method, is404, headers, routeOptions }: FastifyRequest) {
  if (is404 || method === 'GET' || method === 'HEAD') return undefined;
  const unknown = ['If-Match', 'If-None-Match', 'If-Unmodified-Since'].find(
    (name) => headers[name.toLowerCase()] !== undefined && !(name === 'If-Match' && routeOptions.config.takesIfMatch),
  );
  if (unknown === undefined) return undefined;
  const message = `${unknown}: this call cannot judge it, so nothing was done. Leave it out${routeOptions.config.takesIfMatch ? ', or send the ETag in If-Match' : ''}.`;
  return new KnowledgeError('bad_request', message);
}

function isDecodable(query: string) {
  try {
    decodeURIComponent(query);
    return true;
  } catch {
    return false;
  }
}

// The database would refuse a NUL character, or change the text. A mailed code or key with one belongs to nothing.
function nulFault({ raw, query }: FastifyRequest) {
  if (raw.url?.includes('%00') !== true) return undefined;
  const found = Object.entries(query as Record<string, unknown>).find(
    ([name, value]) => name !== 'code' && name !== 'key' && JSON.stringify(value).includes('\\u0000'),
  );
  return found && new KnowledgeError('validation_error', `${found[0].slice(0, 40)}: must not contain NUL characters.`);
}

/**
 * Whether web pages of every origin may read the response (gateway/PROTOCOL.md#cors). They may not read responses to
 * writes, or responses whose URL contains a secret. The headers are the same for every origin, so that caches may share
 * the response.
 */
function isReadableByAnyOrigin({ method, raw: { url = '' } }: FastifyRequest) {
  if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') return false;
  // Most URLs need no decoding, so this skips `pathOf`, which is slower.
  const path = url.startsWith('/api/v1/') && !url.includes('%') ? url : pathOf(url);
  return (path.startsWith('/api') || path === '/llms.txt') && !path.startsWith('/api/v1/agent/authorize');
}

/** Lets web pages of every origin read the response, if they may. */
export function addOriginHeaders(request: FastifyRequest, reply: FastifyReply): void {
  if (isReadableByAnyOrigin(request))
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', '*');
}

/** Whether a browser asks if a page may read. It must succeed, or the page never sees why its read fails. */
export function isPreflight(request: FastifyRequest): boolean {
  return request.method === 'OPTIONS' && isReadableByAnyOrigin(request);
}

/** Answers OPTIONS; a preflight with all its headers except those of `addOriginHeaders`. */
export function sendOptions(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const requestedHeaders = request.headers['access-control-request-headers'];
  if (isPreflight(request))
    reply.headers({
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-max-age': '86400',
      vary: 'Access-Control-Request-Headers',
      ...(requestedHeaders !== undefined && /^[\w\-, ]{1,500}$/.test(requestedHeaders)
        ? { 'access-control-allow-headers': requestedHeaders }
        : {}),
    });
  return reply.code(204).header('cache-control', 'no-store').send();
}
