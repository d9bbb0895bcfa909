import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { strongEtag } from '../http/etags.js';
import { cacheControl, isOneOff, type ReadyResponse, sendForm, sendRead } from '../http/send-read.js';
import type { ContentResponse } from './content-response.js';
import type { FastPath } from './fast-path.js';
import { type IgnoredParameters, ignoredParameters, withFields } from './unknown-names.js';

/**
 * Sends a listing, with the Cache-Control that the reply has already or that of listings. With a fast path, it stores the
 * headers, so that the fast path sends it the next time.
 */
export function sendListing(
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => ContentResponse | Promise<ContentResponse>,
  fastPath?: FastPath,
): FastifyReply | Promise<FastifyReply> {
  const response = read();
  const send = (known: ContentResponse) => sendKnown(request, reply, { response: known, read, fastPath });
  return response instanceof Promise ? response.then(send) : send(response);
}

interface KnownListing {
  readonly response: ContentResponse;
  readonly read: () => ContentResponse | Promise<ContentResponse>;
  readonly fastPath: FastPath | undefined;
  /** How many compressed forms this request may wait for. */
  readonly waits?: number;
}

function sendKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  { response, read, fastPath, waits = 2 }: KnownListing,
): FastifyReply | Promise<FastifyReply> {
  const ignored = ignoredParameters(request);
  const policy = String(reply.getHeader('cache-control') ?? cacheControl.listing);
  if (ignored !== undefined) {
    reply.header('vary', 'Accept-Encoding');
    return sendRead(request, reply, withIgnored(response, ignored), policy);
  }
  const { method, query, raw, routeOptions, headers, server } = request;
  const url = raw.url ?? '';
  const shown = { body: response.body, etag: response.etag, isOneOff: isOneOff(url) };
  const prepared = waits > 0 ? server.forms.prepare(shown, headers) : undefined;
  if (prepared !== undefined) {
    // A text may have been withdrawn meanwhile, so the listing is read again.
    return prepared
      .then(read)
      .then((again) => sendKnown(request, reply, { response: again, read, fastPath, waits: waits - 1 }));
  }
  sendForm(request, reply, shown, policy);
  if (method === 'GET' && (query as { site?: unknown }).site !== undefined) {
    fastPath?.remember(url, response, reply.getHeaders() as OutgoingHttpHeaders, routeOptions.url ?? '');
  }
  return reply;
}

/** Names ignored parameters. They belong to one caller, so this response is neither cached nor compressed. */
export function withIgnored({ body }: ReadyResponse, ignored: IgnoredParameters): ReadyResponse {
  const bytes = withFields(body, ignored);
  return { body: bytes, etag: strongEtag(bytes) };
}
