import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Form } from '../api/content.js';
import type { Front } from '../api/front.js';
import { type IgnoredParameters, ignoredParameters, withFields } from '../api/ignored-parameters.js';
import type { Rendered } from '../upstream/content/hold.js';
import { strongEtag } from './envelope.js';
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

/** Sends a single text in the form that was asked for, with the links to its other forms. */
export function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  form: Form,
  keep: string,
): FastifyReply {
  reply.header('vary', 'Accept');
  if (answer.links !== undefined) reply.header('link', answer.links);
  return sendRead(request, reply, answer, keep, formTypes[form]);
}

const formTypes: Readonly<Record<Form, string>> = {
  json: 'application/json; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
};

/** Sends a read: 304 if the caller has it, else the bytes; both carry the validator and how long it may be kept. */
export function sendRead(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Sendable,
  keep: string,
  contentType = formTypes.json,
): FastifyReply {
  reply.header('etag', answer.etag).header('cache-control', keep);
  if (hasAlready(request, answer.etag)) return reply.code(304).send();
  return reply.header('content-type', contentType).send(answer.body);
}
