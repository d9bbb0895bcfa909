import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonType } from '../send-read.js';
import type { Forms, PublicResponse } from './forms.js';

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
