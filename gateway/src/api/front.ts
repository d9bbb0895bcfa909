import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Logger } from '@knowledge/runtime';
import { LRUCache } from 'lru-cache';
import { isAmong } from '../http/if-none-match.js';
import { headerFault } from '../http/raw-request.js';
import { requestIdOf } from '../http/request-id.js';
import { logRequest } from '../http/request-log.js';
import { type RequestWatch, traceId } from '../http/request-watch.js';
import type { EarlyAnswers } from '../http/server.js';
import type { HeldName, Rendered } from '../upstream/content/hold.js';
import type { Content } from './content.js';

/**
 * Answers again, before the framework is entered, a listing that the framework has answered: as long as the hold proves the
 * bytes, with the very headers of the first answer. Routing, validation and hooks cost more than the answer itself. The
 * bytes stay in the hold alone, so that its bound is that of all answers in memory.
 */
export interface Front extends EarlyAnswers {
  /** Keeps the answer of a listing whose URL names its site, so that nothing but the URL decides it. */
  remember(url: string, answer: Rendered, headers: OutgoingHttpHeaders, route: string): void;
}

interface Remembered {
  readonly name: HeldName;
  /** Names and values in turn, without the request id and the length. */
  readonly headers: readonly string[];
  readonly route: string;
}

const maxUrls = 5_000;
const maxUrlLength = 500;

/** Makes a front for listings that content proves to be right. */
export function createFront(content: Pick<Content, 'proven'>, log: Logger, watch: RequestWatch): Front {
  const remembered = new LRUCache<string, Remembered>({ max: maxUrls });
  return {
    remember(url, answer, headers, route) {
      const { key, etag } = answer;
      if (key === undefined || url.length > maxUrlLength || content.proven({ key, etag }) === undefined) return;
      const kept = Object.entries(headers).filter(([name]) => !ownHeaders.has(name));
      remembered.set(url, {
        name: { key, etag },
        headers: kept.flatMap(([name, value]) => [name, String(value)]),
        route,
      });
    },
    answer(request, response) {
      const url = request.url ?? '';
      const known = request.method === 'GET' ? remembered.get(url) : undefined;
      if (known === undefined || !isPlain(request)) return false;
      const { headers, route } = known;
      const answer = content.proven(known.name);
      if (answer === undefined) {
        remembered.delete(url);
        return false;
      }
      const begun = performance.now();
      const id = requestIdOf(request);
      const { traceparent, 'if-none-match': sent } = request.headers;
      const watched = watch.begin('GET', route, typeof traceparent === 'string' ? traceparent : undefined);
      const status = sent !== undefined && isAmong(answer.etag, sent) ? 304 : 200;
      const head = ['x-request-id', id, ...headers];
      if (status === 304) response.writeHead(304, head).end();
      else response.writeHead(200, [...head, ...typed(answer.body)]).end(answer.body);
      const ms = performance.now() - begun;
      watch.end(watched, 'GET', route, status, ms);
      logRequest(log, { id, trace: traceId(watched), method: 'GET', route, status, ms });
      return true;
    },
  };
}

const ownHeaders = new Set(['x-request-id', 'content-length', 'content-type']);

function typed(body: Buffer): string[] {
  return ['content-type', 'application/json; charset=utf-8', 'content-length', String(body.length)];
}

/** Whether nothing about the request needs the framework's checks: no body, a host, few headers. */
function isPlain(request: IncomingMessage): boolean {
  const { headers } = request;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false;
  return headerFault(request) === undefined;
}
