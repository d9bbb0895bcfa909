import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import createRouter from 'find-my-way';
import { isPreflight, sendOptions } from './cors.js';
import { isApiTarget } from './raw-request.js';

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

function allowedAt(target: string, router: Router): HTTPMethods[] {
  return offered.filter((method) => router.find(method as 'GET', pathIn(target)) !== null);
}

function pathIn(target: string): string {
  return target.split('?')[0] ?? '/';
}

function nothingAt(target: string): KnowledgeError {
  const where = isApiTarget(target)
    ? 'GET /api/v1/capabilities lists every path'
    : '/api/agent tells where everything is';
  return new KnowledgeError('not_found', `Nothing is at this path. ${where}.`);
}
