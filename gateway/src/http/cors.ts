import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './raw-request.js';

/**
 * Whether pages of any origin may read the response (gateway/PROTOCOL.md#cors): neither writes, nor what has a secret in its
 * URL. It is the same for every origin, so that caches may share the response.
 */
export function isReadableByAnyOrigin({ method, raw: { url = '' } }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') return false;
  // The hot path is written plainly; any other way of writing it is decoded first.
  const path = url.startsWith('/api/v1/') && !url.includes('%') ? url : pathOf(url);
  return (path.startsWith('/api') || path === '/llms.txt') && !path.startsWith('/api/v1/agent/authorize');
}

/** Adds the headers of a preflight response besides `Access-Control-Allow-Origin`. */
export function addPreflightHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const requestedHeaders = request.headers['access-control-request-headers'];
  return reply.headers({
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-max-age': '86400',
    vary: 'Access-Control-Request-Headers',
    ...(requestedHeaders !== undefined && /^[\w\-, ]{1,500}$/.test(requestedHeaders)
      ? { 'access-control-allow-headers': requestedHeaders }
      : {}),
  });
}
