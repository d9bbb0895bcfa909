import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Logger } from '@knowledge/runtime';
import { headerFault, httpLimits, requestIdOf } from '@knowledge/runtime/http';
import type { RequestWatch } from '@knowledge/runtime/telemetry';
import { LRUCache } from 'lru-cache';
import type { ChosenForm, Form, Forms } from '../http/compression/forms.js';
import { logRequest } from '../http/raw-request.js';
import { isOneOff } from '../http/send-read.js';
import type { CacheableResponse, CacheReference } from '../upstream/content/response-cache.js';
import type { Content } from './content.js';

/**
 * Sends a cached listing before the request reaches Fastify, because Fastify's routing, validation and hooks cost more
 * than sending. Only the headers are stored here; the response cache stores the bytes and knows whether they are up to
 * date.
 */
export type FastPath = ReturnType<typeof createFastPath>;

/** The headers of a cached listing, and the place of its bytes in the response cache. */
interface ListingHead {
  readonly cached: CacheReference;
  readonly headers: ReturnType<typeof listingHeaders>;
  readonly route: string;
  readonly isOneOff: boolean;
}

const maxUrls = 5_000;
const maxUrlLength = 500;

interface FastPathParts {
  /** Says whether a cached listing is still up to date. */
  readonly content: Pick<Content, 'proven'>;
  readonly forms: Forms;
  readonly log: Logger;
  readonly watch: RequestWatch;
}

export function createFastPath({ content, forms, log, watch }: FastPathParts) {
  const remembered = new LRUCache<string, ListingHead>({ max: maxUrls });
  return {
    /** Stores a listing for the next request. Its URL must contain `site`, so that the URL alone decides the response. */
    remember(url: string, response: CacheableResponse, headers: OutgoingHttpHeaders, route: string) {
      const { key, etag } = response;
      if (key === undefined || url.length > maxUrlLength || content.proven({ key, etag }) === undefined) return;
      remembered.set(url, { cached: { key, etag }, headers: listingHeaders(headers), route, isOneOff: isOneOff(url) });
    },
    answer(request: IncomingMessage, reply: ServerResponse): boolean {
      const url = request.url ?? '';
      const known = request.method === 'GET' ? remembered.get(url) : undefined;
      if (known === undefined || !isPlain(request)) return false;
      const { headers, route, cached } = known;
      const response = content.proven(cached);
      if (response === undefined) {
        remembered.delete(url);
        return false;
      }
      const shown = { body: response.body, etag: response.etag, isOneOff: known.isOneOff };
      const form = forms.choose(shown, request.headers);
      // If the best form must be made first, Fastify waits for it.
      if (form.isSecondBest && forms.prepare(shown, request.headers) !== undefined) return false;
      const begun = performance.now();
      const id = requestIdOf(request);
      const watched = watch.begin('GET', route, request.headers);
      const status = form.isNotModified ? 304 : 200;
      headers.send(reply, id, form);
      const ms = performance.now() - begun;
      watch.end(watched, 'GET', route, status, ms);
      logRequest(log, { id, trace: watched.traceId, method: 'GET', route, status, ms });
      return true;
    },
  };
}

/** Whether Fastify has nothing to check in a request: it has no body, one host and few headers. */
function isPlain(request: IncomingMessage) {
  const { headers } = request;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false;
  return headerFault(request) === undefined;
}

/** Prepares the headers of a listing, for each of its forms, from those of its first response. */
function listingHeaders(first: OutgoingHttpHeaders) {
  const common = Object.entries(first)
    .filter(([name]) => !ownHeaders.has(name))
    .flatMap(([name, value]) => [name, String(value)]);
  const notModified = prepareHeaders(common);
  const ofCoding: Partial<Record<Form['coding'], PreparedHeaders>> = {};
  const typed = (coding: Form['coding']) => {
    const known = ofCoding[coding] ?? prepareHeaders([...typeHeaders(coding), ...common]);
    ofCoding[coding] = known;
    return known;
  };
  return {
    /** Sends a form of the listing, or 304. */
    send(reply: ServerResponse, id: string, { etag, coding, body, isNotModified }: ChosenForm) {
      const own = ['x-request-id', id, 'etag', etag];
      if (isNotModified) {
        writePreparedHead(reply, 304, own, notModified);
        reply.end();
      } else {
        own.push('content-length', String(body.length));
        writePreparedHead(reply, 200, own, typed(coding));
        reply.end(body);
      }
    },
  };
}

const ownHeaders = new Set(['x-request-id', 'content-length', 'content-type', 'content-encoding', 'etag']);

function typeHeaders(coding: Form['coding']) {
  const type = ['content-type', 'application/json; charset=utf-8'];
  return coding === 'identity' ? type : [...type, 'content-encoding', coding];
}

/** Headers that many responses share. They are checked and joined once. */
interface PreparedHeaders {
  /** Names and values in turn. */
  readonly list: readonly string[];
  readonly text: string;
}

/** Prepares names and values in turn. Throws for a header that HTTP does not allow. */
export function prepareHeaders(list: readonly string[]): PreparedHeaders {
  let text = '';
  for (let at = 0; at < list.length; at += 2) {
    const [name = '', value = ''] = list.slice(at, at + 2);
    validateHeaderName(name);
    validateHeaderValue(name, value);
    text += `${name}: ${value}\r\n`;
  }
  return { list, text };
}

/**
 * Does what `writeHead` does, for headers that are prepared. `own` has the names and values of this response, which are
 * not checked: they must be ids, ETags and numbers.
 */
export function writePreparedHead(
  response: ServerResponse,
  status: 200 | 304,
  own: readonly string[],
  shared: PreparedHeaders,
): void {
  if (response.shouldKeepAlive && !response.hasHeader('connection')) {
    let text: string = statusLine[status];
    for (let at = 0; at < own.length; at += 2) text += `${own[at]}: ${own[at + 1]}\r\n`;
    response.statusCode = status;
    // Node keeps the text of the head here until it is sent. To make it, `writeHead` takes 2 of the 16 µs of a response.
    (response as unknown as { _header: string })._header = `${text}${shared.text}${connectionHeaders()}\r\n`;
    // A Node that keeps it elsewhere would not notice it, so that `writeHead` is called.
    if (response.headersSent) return;
  }
  response.writeHead(status, [...own, ...shared.list]);
}

const statusLine = { 200: 'HTTP/1.1 200 OK\r\n', 304: 'HTTP/1.1 304 Not Modified\r\n' } as const;
const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(httpLimits.keepAliveMs / 1000)}\r\n`;

/** The headers that Node adds to a response on a connection that stays open. They change every second. */
function connectionHeaders() {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    current = `Date: ${new Date(now * 1000).toUTCString()}\r\n${keepAlive}`;
  }
  return current;
}

let second = 0;
let current = '';
