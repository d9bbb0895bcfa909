import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Forms, PublicResponse } from './compression/forms.js';
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

/** Sends a successful response that belongs to its caller alone. */
export function sendPrivate(reply: FastifyReply, fields: object): FastifyReply {
  return reply.header('cache-control', 'no-store').send({ ok: true, ...fields });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The compressed forms of public responses. */
    readonly forms: Forms;
  }
}

/**
 * Sends a response that is the same for every caller, in the form that `Accept-Encoding` prefers, or 304. Nothing that
 * belongs to one caller may be sent this way (SECURITY.md#compressed-responses).
 */
export async function sendPublic(
  request: FastifyRequest,
  reply: FastifyReply,
  response: PublicResponse,
  cachePolicy: string,
  contentType = jsonType,
): Promise<FastifyReply> {
  await request.server.forms.prepare(response, request.headers);
  return sendForm(request, reply, response, cachePolicy, contentType);
}

/** Sends the best form that is made already. */
export function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  response: PublicResponse,
  cachePolicy: string,
  contentType = jsonType,
): FastifyReply {
  const { body, etag, coding, isNotModified } = request.server.forms.choose(response, request.headers);
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
  reply.header('etag', etag).header('cache-control', cachePolicy);
  if (isNotModified) return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.header('content-type', contentType).send(body);
}

/** Whether a request target is a search or a later list page. Few callers ask for the same one. */
export function isOneOff(target: string): boolean {
  return /[?&](?:q|cursor)=/.test(target);
}
