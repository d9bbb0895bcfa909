import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import createRouter from 'find-my-way';
import { addPreflightHeaders, isReadableByAnyOrigin } from './cors.js';
import { isApiTarget } from './raw-request.js';

type Router = Pick<ReturnType<typeof createRouter>, 'find'>;

const offered: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

/**
 * Refuses unknown paths with not_found, and known paths with another method with method_not_allowed and `Allow`.
 * Register this before any route.
 */
export function registerNotFound(app: FastifyInstance): void {
  const router = createRouter({ maxParamLength: 16 * 1024, ignoreTrailingSlash: true });
  app.addHook('onRoute', ({ method, url }) => {
    if (url.includes('*')) return;
    for (const each of Array.isArray(method) ? method : [method]) {
      if (each !== 'OPTIONS' && router.findRoute(each as 'GET', url) === null)
        router.on(each as 'GET', url, () => undefined);
    }
  });
  // Runs before the body is read, so that a broken body on an unknown path gets not_found.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const allowed = allowedAt(request.raw.url ?? '/', router);
    if (allowed.length === 0) return done(nothingAt(request.raw.url ?? '/'));
    reply.header('allow', [...allowed, 'OPTIONS'].join(', '));
    if (request.method !== 'OPTIONS') {
      return done(new KnowledgeError('method_not_allowed', `This path takes ${allowed.join(', ')}.`));
    }
    if (isReadableByAnyOrigin(request)) addPreflightHeaders(request, reply);
    reply.code(204).header('cache-control', 'no-store').send();
  });
}

function allowedAt(target: string, router: Router): HTTPMethods[] {
  const [path = '/'] = target.split('?');
  return offered.filter((method) => router.find(method as 'GET', path) !== null);
}

function nothingAt(target: string): KnowledgeError {
  const where = isApiTarget(target)
    ? 'GET /api/v1/capabilities lists every path'
    : '/api/agent tells where everything is';
  return new KnowledgeError('not_found', `Nothing is at this path. ${where}.`);
}
