import type { FastifyReply, FastifyRequest } from 'fastify';
import { strongEtag } from '../../http/envelope.js';
import { pageHeaders } from '../../http/page-headers.js';
import { type ReadyResponse, sendRead } from '../../http/send-read.js';

/** Sends a page with an ETag; `keep` is its Cache-Control. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, markup: string, keep: string): FastifyReply {
  return sendRendered(request, reply, renderPage(markup), keep);
}

/** The bytes of a page with their ETag. */
export function renderPage(markup: string): ReadyResponse {
  const body = Buffer.from(markup);
  return { body, etag: strongEtag(body) };
}

/** Sends a page that is already bytes. */
export function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  rendered: ReadyResponse,
  keep: string,
): FastifyReply {
  return sendRead(request, reply.headers(pageHeaders), rendered, keep, 'text/html; charset=utf-8');
}
