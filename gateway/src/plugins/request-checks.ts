import { type Deadline, KnowledgeError, type Logger } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { headersTooLarge, uriTooLong } from '../error-handler.js';
import { limits } from '../protocol/limits.js';
import { headerFault, isApiTarget } from '../raw-request.js';
import { isForPages } from './cors.js';
import { logRequest } from './request-log.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the answer must be out: 3 s after the request came. */
    deadline: Deadline;
  }
}

/** Gives every request its id, deadline and log line, and refuses what no route should see. */
export function registerRequestChecks(app: FastifyInstance): void {
  app.decorateRequest('deadline', 0);
  app.addHook('onRequest', (request, reply, done) => {
    request.deadline = Date.now() + limits.answerMs;
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (isForPages(request))
      reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', '*');
    done(refusal(request));
  });
  // Also where the site decides nothing: a caller who misspells it should hear so (protocol.md section 1).
  app.addHook('preValidation', (request, _reply, done) => {
    const { site } = (request.query ?? {}) as { site?: unknown };
    const wrong = site !== undefined && site !== 'io' && site !== 'org' && isApiTarget(request.raw.url ?? '');
    done(wrong ? new KnowledgeError('validation_error', 'site: must be io or org, given once.') : undefined);
  });
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request.log as Logger, {
      id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: reply.elapsedTime,
    });
    done();
  });
}

function refusal({ raw }: FastifyRequest): KnowledgeError | undefined {
  const target = raw.url ?? '/';
  if (target.length > limits.targetBytes) return uriTooLong();
  switch (headerFault(raw)) {
    case 'too_large':
      return headersTooLarge();
    case 'no_host':
      return new KnowledgeError('bad_request', 'Send a Host header.');
    case 'two_hosts':
      return new KnowledgeError('bad_request', 'Send one Host header.');
    case undefined:
      break;
  }
  const query = target.indexOf('?');
  if (query >= 0 && target.includes('%', query) && !isDecodable(target.slice(query + 1))) {
    return new KnowledgeError('bad_request', 'The query cannot be decoded: it must be percent-encoded UTF-8.');
  }
  return undefined;
}

function isDecodable(query: string): boolean {
  try {
    decodeURIComponent(query);
    return true;
  } catch {
    return false;
  }
}
