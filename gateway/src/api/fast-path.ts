import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Logger } from '@knowledge/runtime';
import { type EarlyResponses, requestIdOf } from '@knowledge/runtime/http';
import type { RequestWatch } from '@knowledge/runtime/telemetry';
import { LRUCache } from 'lru-cache';
import type { Forms } from '../http/compression/forms.js';
import { isOneOff } from '../http/compression/send-public.js';
import { headerFault } from '../http/raw-request.js';
import { logRequest } from '../http/request-log.js';
import type { CacheableResponse, CacheReference } from '../upstream/content/response-cache.js';
import type { Content } from './content.js';
import { type ListingHeaders, listingHeaders } from './listing-headers.js';

/**
 * Sends a cached listing before the request reaches Fastify, because Fastify's routing, validation and hooks cost more
 * than sending. Only the headers are stored here; the response cache stores the bytes and knows whether they are up to
 * date.
 */
export interface FastPath extends EarlyResponses {
  /** Stores a listing for the next request. Its URL must contain `site`, so that the URL alone decides the response. */
  remember(url: string, response: CacheableResponse, headers: OutgoingHttpHeaders, route: string): void;
}

/** The headers of a cached listing, and the place of its bytes in the response cache. */
interface ListingHead {
  readonly cached: CacheReference;
  readonly headers: ListingHeaders;
  readonly route: string;
  readonly isOneOff: boolean;
}

const maxUrls = 5_000;
const maxUrlLength = 500;

export interface FastPathOptions {
  /** Says whether a cached listing is still up to date. */
  readonly content: Pick<Content, 'proven'>;
  readonly forms: Forms;
  readonly log: Logger;
  readonly watch: RequestWatch;
}

export function createFastPath({ content, forms, log, watch }: FastPathOptions): FastPath {
  const remembered = new LRUCache<string, ListingHead>({ max: maxUrls });
  return {
    remember(url, response, headers, route) {
      const { key, etag } = response;
      if (key === undefined || url.length > maxUrlLength || content.proven({ key, etag }) === undefined) return;
      remembered.set(url, { cached: { key, etag }, headers: listingHeaders(headers), route, isOneOff: isOneOff(url) });
    },
    answer(request, reply) {
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
      const { traceparent } = request.headers;
      const watched = watch.begin('GET', route, typeof traceparent === 'string' ? traceparent : undefined);
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
function isPlain(request: IncomingMessage): boolean {
  const { headers } = request;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false;
  return headerFault(request) === undefined;
}
