import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAmong } from './if-none-match.js';

/** Bytes that are ready to send. */
export interface Sendable {
  readonly body: Buffer;
  readonly etag: string;
}

/** How long what kind of read may be kept (gateway/PROTOCOL.md#caching). */
export const cacheControl = {
  listing: 'public, max-age=60',
  object: 'public, no-cache',
  article: 'private, no-cache',
} as const;

/** Whether the caller has these bytes already: `If-None-Match` by weak comparison (RFC 9110 section 13.1.2). */
export function hasAlready(request: FastifyRequest, etag: string): boolean {
  const sent = request.headers['if-none-match'];
  return sent !== undefined && isAmong(etag, sent);
}

/** The type of answers for programs. */
export const jsonType = 'application/json; charset=utf-8';

/** Sends a read: 304 if the caller has it, else the bytes; both carry the validator and how long it may be kept. */
export function sendRead(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Sendable,
  keep: string,
  contentType = jsonType,
): FastifyReply {
  reply.header('etag', answer.etag).header('cache-control', keep);
  if (hasAlready(request, answer.etag)) return reply.code(304).send();
  return reply.header('content-type', contentType).send(answer.body);
}
