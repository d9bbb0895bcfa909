import type { FastifyReply, FastifyRequest } from 'fastify';
import { strongEtag } from '../../http/envelope.js';
import { pageHeaders } from '../../http/page-headers.js';
import { type ReadyResponse, sendRead } from '../../http/send-read.js';

/** Sends a page with an ETag, as markup or as bytes; `cachePolicy` is its Cache-Control. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string | ReadyResponse,
  cachePolicy: string,
): FastifyReply {
  const response = typeof page === 'string' ? withEtag(page) : page;
  return sendRead(request, reply.headers(pageHeaders), response, cachePolicy, 'text/html; charset=utf-8');
}

/** The bytes of a text with their ETag. */
export function withEtag(text: string): ReadyResponse {
  const body = Buffer.from(text);
  return { body, etag: strongEtag(body) };
}
