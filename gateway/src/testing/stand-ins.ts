import type { RequestWatch } from '@knowledge/runtime/telemetry';
import type { IndexQuery } from '../api/content.js';
import type { ContentResponse } from '../api/content-response.js';
import { createSites, type Sites } from '../upstream/sites.js';

/** The two sites at these addresses. */
export function sitesAt(PUBLIC_URL_IO: string, PUBLIC_URL_ORG: string): Sites {
  return createSites({ PUBLIC_URL_IO, PUBLIC_URL_ORG, DEFAULT_SITE: 'org' });
}

/** Two sites with hosts of their own. */
export const sites: Sites = sitesAt('https://io.example', 'https://org.example');

/** A list like those of the gateway's cache: the same query returns the same bytes. */
export function cachedList(count: number, entry: (at: number) => object) {
  const given = new Map<string, ContentResponse>();
  return {
    given,
    list({ cursor, limit }: Pick<IndexQuery, 'cursor' | 'limit'>): ContentResponse {
      const from = Number(cursor);
      const entries = Array.from({ length: Math.min(limit, count - from) }, (_, at) => entry(from + at));
      const next_cursor = from + limit < count ? String(from + limit) : null;
      const body = Buffer.from(JSON.stringify({ entries, next_cursor }));
      const answer = given.get(cursor) ?? { body, etag: '', dependencies: [] };
      given.set(cursor, answer);
      return answer;
    },
  };
}

/** Watches requests without a record. */
export const watch: RequestWatch = {
  begin: () => ({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`, traceId: 'a'.repeat(32) }),
  end: () => undefined,
  shed: () => undefined,
};
