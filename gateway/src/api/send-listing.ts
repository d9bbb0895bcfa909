import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { strongEtag } from '../http/envelope.js';
import { cacheControl, type ReadyResponse, sendRead } from '../http/send-read.js';
import type { ContentResponse } from './content-response.js';
import type { FastPath } from './fast-path.js';
import { type IgnoredParameters, ignoredParameters, withFields } from './ignored-parameters.js';

/** Sends a listing, and stores its headers so that the fast path sends it the next time. */
export function sendListing(
  request: FastifyRequest,
  reply: FastifyReply,
  response: ContentResponse | Promise<ContentResponse>,
  fastPath: FastPath,
): FastifyReply | Promise<FastifyReply> {
  if (response instanceof Promise) return response.then((known) => sendListing(request, reply, known, fastPath));
  const ignored = ignoredParameters(request);
  if (ignored !== undefined) return sendRead(request, reply, withIgnored(response, ignored), cacheControl.listing);
  const sent = sendRead(request, reply, response, cacheControl.listing);
  const { method, query, raw, routeOptions } = request;
  if (method === 'GET' && (query as { site?: unknown }).site !== undefined) {
    fastPath.remember(raw.url ?? '', response, reply.getHeaders() as OutgoingHttpHeaders, routeOptions.url ?? '');
  }
  return sent;
}

// The names of ignored parameters belong to one caller, so this response is not cached.
function withIgnored({ body }: ReadyResponse, ignored: IgnoredParameters): ReadyResponse {
  const bytes = withFields(body, ignored);
  return { body: bytes, etag: strongEtag(bytes) };
}
