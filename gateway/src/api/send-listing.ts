import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { strongEtag } from '../http/envelope.js';
import { cacheControl, type Sendable, sendRead } from '../http/send-read.js';
import type { Rendered } from '../upstream/content/hold.js';
import type { Front } from './front.js';
import { type IgnoredParameters, ignoredParameters, withFields } from './ignored-parameters.js';

/** Sends a listing, which the front may send again while it stays right. */
export function sendListing(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Listing | Promise<Listing>,
  front: Front,
): FastifyReply | Promise<FastifyReply> {
  if (answer instanceof Promise) return answer.then((known) => sendListing(request, reply, known, front));
  const ignored = ignoredParameters(request);
  if (ignored !== undefined) return sendRead(request, reply, withIgnored(answer, ignored), cacheControl.listing);
  const sent = sendRead(request, reply, answer, cacheControl.listing);
  const { method, query, raw, routeOptions } = request;
  if (method === 'GET' && (query as { site?: unknown }).site !== undefined) {
    front.remember(raw.url ?? '', answer, reply.getHeaders() as OutgoingHttpHeaders, routeOptions.url ?? '');
  }
  return sent;
}

type Listing = Rendered & Sendable;

// Such answers are made for one caller and not cached here.
function withIgnored({ body }: Sendable, ignored: IgnoredParameters): Sendable {
  const bytes = withFields(body, ignored);
  return { body: bytes, etag: strongEtag(bytes) };
}
