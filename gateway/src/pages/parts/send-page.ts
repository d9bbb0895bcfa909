import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PublicResponse } from '../../http/compression/forms.js';
import { pageHeaders } from '../../http/error-handler.js';
import { strongEtag } from '../../http/etags.js';
import { type ReadyResponse, sendPublic, sendRead } from '../../http/send-read.js';

/** Sends a page with an ETag, as markup or as bytes; `cachePolicy` is its Cache-Control. Only public pages are compressed. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string | ReadyResponse,
  cachePolicy: string,
): FastifyReply | Promise<FastifyReply> {
  const response = typeof page === 'string' ? withEtag(page) : page;
  const send = cachePolicy.startsWith('public') ? sendPublic : sendRead;
  return send(request, reply.headers(pageHeaders), response, cachePolicy, 'text/html; charset=utf-8');
}

/** The bytes of a text that was written for one request, with their ETag. */
export function withEtag(text: string): PublicResponse {
  const body = Buffer.from(text);
  return { body, etag: strongEtag(body), isOneOff: true };
}
