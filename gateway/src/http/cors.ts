import { pathOf } from '@knowledge/runtime/http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Whether web pages of every origin may read the response (gateway/PROTOCOL.md#cors). They may not read responses to
 * writes, or responses whose URL contains a secret. The headers are the same for every origin, so that caches may share
 * the response.
 */
function isReadableByAnyOrigin({ method, raw: { url = '' } }: FastifyRequest): boolean {
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
