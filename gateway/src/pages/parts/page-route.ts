import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { linkToApi } from '../../api/operation-route.js';
import type { PublicResponse } from '../../http/compression/forms.js';
import { pageHeaders } from '../../http/error-handler.js';
import { strongEtag } from '../../http/etags.js';
import { cacheControl, type ReadyResponse, sendPublic, sendRead } from '../../http/send-read.js';
import type { Sites } from '../../upstream/sites.js';

/** The query of a page request, before any check. */
export type PageParameters = Readonly<Record<string, unknown>>;

type PageRequest<Params> = FastifyRequest<{ Params: Params; Querystring: PageParameters }>;

/** Registers a page or document for GET and HEAD. All its responses, also errors, link to the API. */
export function registerPage<Params = unknown>(
  app: FastifyInstance,
  sites: Sites,
  url: string,
  handler: (request: PageRequest<Params>, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.route<{ Params: Params; Querystring: PageParameters }>({
    method: ['GET', 'HEAD'],
    url,
    onRequest: linkToApi(sites),
    handler: handler as never,
  });
}

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

/** The `Cache-Control` of a page with these parts. Browsers must not cache one that lacks a part. */
export function cacheControlOf(parts: readonly unknown[]): string {
  return parts.includes(undefined) ? 'no-store' : cacheControl.listing;
}
