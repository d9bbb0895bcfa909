import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './raw-request.js';

/**
 * Whether any page may read the answer (gateway/PROTOCOL.md#cors): writes, and whatever needs a secret in its URL, are
 * not for pages. The answer is the same for every origin, so that caches may share it.
 */
export function isForPages({ method, raw: { url = '' } }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') return false;
  // The hot path is written plainly; any other way of writing it is decoded first.
  const path = url.startsWith('/api/v1/') && !url.includes('%') ? url : pathOf(url);
  return (path.startsWith('/api') || path === '/llms.txt') && !path.startsWith('/api/v1/agent/authorize');
}

/** What a preflight is told besides `Access-Control-Allow-Origin`. */
export function allowReads(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const asked = request.headers['access-control-request-headers'];
  return reply.headers({
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-max-age': '86400',
    vary: 'Access-Control-Request-Headers',
    ...(asked !== undefined && /^[\w\-, ]{1,500}$/.test(asked) ? { 'access-control-allow-headers': asked } : {}),
  });
}
