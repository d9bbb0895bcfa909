import { hash } from 'node:crypto';
import { type CountedSearch, SearchEvent } from '@knowledge/proto/knowledge/content/v1/search_counts';
import type { Logger } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { bearerToken } from '../http/bearer.js';
import { clientAddressOf } from '../http/client-address.js';
import type { Clients } from '../upstream/clients.js';

/** A search that was answered. */
export interface AnsweredSearch {
  readonly query: string;
  /** The texts on the page that fit, as `articleKey` or object id names them; empty if the search found nothing. */
  readonly fitting: readonly string[];
}

/**
 * Tells content what readers search for and whether they read what they found (SECURITY.md#what-was-searched). Call the
 * methods after the response was sent. They never wait or throw.
 */
export interface SearchCounts {
  searched(reader: string, search: AnsweredSearch): void;
  /** Notes that a reader read a text. It counts for the searches of the last 15 minutes that found it. */
  read(reader: string, text: string): void;
  /** Sends what is left, and stops. */
  close(): Promise<void>;
}

export interface SearchCountsOptions {
  readonly client: Pick<Clients['searchCounts'], 'countSearches'>;
  readonly log: Logger;
  /** How long a search waits for others, in milliseconds (default 5 s). */
  readonly gatherMs?: number;
}

/** The name of an article among the texts that a search found. */
export function articleKey(site: string, slug: string): string {
  return `${site}/${slug}`;
}

/**
 * A hash that tells readers apart: of the token, else the client id, else the address. Content hashes it again with a
 * salt, and stores neither.
 */
export function readerOf(request: FastifyRequest): string {
  const token = bearerToken(request.raw);
  const clientId = request.headers['x-agent-client-id'];
  const who = token ?? (typeof clientId === 'string' ? `client ${clientId}` : `address ${clientAddressOf(request)}`);
  return hash('sha256', `search reader ${who}`, 'base64url');
}

const most = {
  /** Searches in one call. */
  batch: 200,
  /** Waiting searches, each at most 2 kB. Further ones are dropped. */
  waiting: 1_000,
  queryLength: 500,
  /** The memory for readers who may still read what they found, in bytes. */
  rememberedBytes: 8 * 1024 * 1024,
  searchesOfReader: 3,
  textsOfSearch: 10,
} as const;
const rememberedMs = 15 * 60_000;
const defaultGatherMs = 5_000;

/** Makes the counting. At most one call runs at once. A call that fails loses its searches, since they are only statistics. */
export function createSearchCounts({ client, log, gatherMs = defaultGatherMs }: SearchCountsOptions): SearchCounts {
  const waiting: CountedSearch[] = [];
  const recent = new LRUCache<string, readonly AnsweredSearch[]>({
    maxSize: most.rememberedBytes,
    sizeCalculation: sizeOf,
    ttl: rememberedMs,
  });
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let closed = false;

  const send = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const searches = waiting.splice(0, most.batch);
    try {
      await client.countSearches({ searches }, { requestId: 'gateway-search-counts' });
    } catch (error) {
      log.debug({ err: error, lost: searches.length }, 'searches were not counted');
    }
  };

  const schedule = (): void => {
    if (closed || sending !== undefined || waiting.length === 0) return;
    if (waiting.length < most.batch) {
      timer ??= setTimeout(start, gatherMs).unref();
      return;
    }
    start();
  };

  const start = (): void => {
    if (sending !== undefined) return;
    sending = send().finally(() => {
      sending = undefined;
      schedule();
    });
  };

  const add = (query: string, reader: string, event: SearchEvent): void => {
    if (closed || waiting.length >= most.waiting) return;
    waiting.push({ query, reader, event });
    schedule();
  };

  return {
    searched(reader, { query, fitting }) {
      // A copy, because the query may be a slice of a much larger URL.
      const words = Buffer.from(query.slice(0, most.queryLength)).toString();
      add(words, reader, fitting.length > 0 ? SearchEvent.FOUND : SearchEvent.NOT_FOUND);
      if (fitting.length === 0) return;
      const search = { query: words, fitting: fitting.slice(0, most.textsOfSearch) };
      const others = (recent.get(reader) ?? []).filter((each) => each.query !== words);
      recent.set(reader, [search, ...others].slice(0, most.searchesOfReader));
    },
    read(reader, text) {
      const searches = recent.get(reader);
      if (searches === undefined) return;
      const left = searches.filter(({ fitting }) => !fitting.includes(text));
      if (left.length === searches.length) return;
      for (const { query, fitting } of searches) if (fitting.includes(text)) add(query, reader, SearchEvent.READ);
      if (left.length === 0) recent.delete(reader);
      else recent.set(reader, left);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await sending;
      if (waiting.length > 0) await send();
      recent.clear();
    },
  };
}

/** The approximate memory of one reader's searches, in bytes. */
function sizeOf(searches: readonly AnsweredSearch[], reader: string): number {
  const texts = searches.map(
    ({ query, fitting }) => query.length + fitting.reduce((sum, text) => sum + text.length, 0),
  );
  return 400 + 2 * (reader.length + texts.reduce((sum, size) => sum + size, 0));
}
