import { hash, randomUUID } from 'node:crypto';
import {
  type ArticleReads,
  type CountedSearch,
  SearchEvent,
} from '@knowledge/proto/knowledge/content/v1/search_counts';
import { LRUCache } from 'lru-cache';
import type { Clients } from '../clients.js';
import { type SiteName, toWireSite } from '../sites.js';

/** What is read of the catalog is not counted. */
const articleKey = 'article:';

/** The names of texts in the counts. */
export const textKey = {
  article: (site: SiteName, slug: string) => `${articleKey}${site}/${slug}`,
  object: (id: string) => `object:${id}`,
};

interface RecentSearch {
  readonly query: string;
  readonly found: ReadonlySet<string>;
}

/** The largest number of searches in one call, and of those that wait for it; more are not counted. */
const maxWaiting = 500;
const sendEveryMs = 2_000;
/** A read counts for the last searches of its reader within this time. */
const recentMs = 30 * 60_000;
const searchesPerReader = 3;
const recentBytes = 8 * 1024 * 1024;

/** Counts what readers read, and what they search and do not find or do not read. Editors see from it what is missing. */
export type SearchCounts = ReturnType<typeof createSearchCounts>;

/** Makes the counter. It sends hashes of readers, and loses counts rather than delay a response. */
export function createSearchCounts(client: Pick<Clients['searchCounts'], 'countSearches' | 'countReads'>) {
  const recent = new LRUCache<string, readonly RecentSearch[]>({
    maxSize: recentBytes,
    ttl: recentMs,
    sizeCalculation: (searches) =>
      searches.reduce((sum, { query, found }) => sum + query.length * 2 + found.size * 80, 200),
  });
  let waiting: CountedSearch[] = [];
  let reads = new Map<string, number>();
  let sending: Promise<unknown> = Promise.resolve();

  const count = (search: CountedSearch) => {
    if (waiting.length < maxWaiting) waiting.push(search);
  };
  const send = () => {
    const call = { requestId: 'gateway-search-counts' };
    const calls: Promise<unknown>[] = [];
    if (waiting.length > 0) calls.push(client.countSearches({ searches: waiting }, call));
    if (reads.size > 0) calls.push(client.countReads({ batch: randomUUID(), reads: [...reads].map(toReads) }, call));
    if (calls.length === 0) return sending;
    waiting = [];
    reads = new Map();
    sending = Promise.allSettled(calls);
    return sending;
  };
  const timer = setInterval(() => void send(), sendEveryMs);
  timer.unref();

  return {
    /** Counts a search; `found` has the keys of the texts that fit. */
    searched(sent: string, query: string, found: readonly string[]) {
      const reader = hashOf(sent);
      const event = found.length === 0 ? SearchEvent.NOT_FOUND : SearchEvent.FOUND;
      count({ query, reader, event });
      if (found.length === 0) return;
      const others = (recent.get(reader) ?? []).filter((search) => search.query !== query);
      recent.set(reader, [{ query, found: new Set(found) }, ...others].slice(0, searchesPerReader));
    },
    /** Counts the read of a text, also for the reader's last searches that had found it. */
    read(sent: string, text: string) {
      const isCounted = text.startsWith(articleKey) && (reads.has(text) || reads.size < maxWaiting);
      if (isCounted) reads.set(text, (reads.get(text) ?? 0) + 1);
      // Most readers never search, and a hash for each read is 3 % of what the gateway does for it.
      if (recent.size === 0) return;
      const reader = hashOf(sent);
      for (const { query, found } of recent.get(reader) ?? []) {
        if (found.has(text)) count({ query, reader, event: SearchEvent.READ });
      }
    },
    async close() {
      clearInterval(timer);
      await send();
    },
  };
}

function toReads([text, reads]: [string, number]): ArticleReads {
  const [site, slug = ''] = text.slice(articleKey.length).split('/');
  return { site: toWireSite(site as SiteName), slug, reads };
}

function hashOf(reader: string) {
  return hash('sha256', reader, 'base64url').slice(0, 22);
}
