import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag, withoutProxySuffixes } from './etags.js';

export interface ReadyResponse {
  readonly body: Buffer;
  readonly etag: string;
}

/** How clients and proxies may cache each kind of response (gateway/PROTOCOL.md#caching). */
export const cacheControl = {
  listing: 'public, max-age=60',
  object: 'public, no-cache',
  article: 'private, no-cache',
} as const;

/** Whether `If-None-Match` shows that the caller already has these bytes (RFC 9110 section 13.1.2, weak comparison). */
export function isNotModified(request: FastifyRequest, etag: string): boolean {
  const sent = request.headers['if-none-match'];
  return sent !== undefined && (matchesEtag(etag, sent) || matchesEtag(etag, withoutProxySuffixes(sent)));
}

export const jsonType = 'application/json; charset=utf-8';

/** Sends 304 if the caller already has the response, else the body. Both have the ETag and `Cache-Control`. */
export function sendRead(
  request: FastifyRequest,
  reply: FastifyReply,
  response: ReadyResponse,
  cachePolicy: string,
  contentType = jsonType,
): FastifyReply {
  reply.header('etag', response.etag).header('cache-control', cachePolicy);
  if (isNotModified(request, response.etag)) return reply.code(304).send();
  return reply.header('content-type', contentType).send(response.body);
}
