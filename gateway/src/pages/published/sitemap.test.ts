import { expect, it } from 'vitest';
import type { IndexQuery } from '../../api/content.js';
import type { ContentResponse } from '../../api/content-response.js';
import type { CatalogQuery } from '../../api/searches.js';
import { createSites } from '../../upstream/sites.js';
import { createSitemap } from './feed.js';

const sites = createSites({
  PUBLIC_URL_IO: 'https://io.example',
  PUBLIC_URL_ORG: 'https://org.example/base',
  DEFAULT_SITE: 'org',
});
const imported = '2026-05-01T09:00:00Z';
const changed = '2026-06-01T09:00:00Z';
const context = { id: 'test', deadline: Date.now() + 1_000 };

it('has its own pages, every article and every object, with the time of their last change', async () => {
  const xml = await sitemapOf(3, 1)('org', undefined, context);
  expect(urlsIn(xml)).toEqual([
    ...['', 'articles', 'objects', 'prompts', 'for-agents', 'about', 'privacy'].map(
      (path) => `https://org.example/base/${path}?site=org`,
    ),
    ...['a-0', 'a-1', 'a-2', 'o-0'].map((name) => `https://org.example/base/${name}?a=1&amp;b=2`),
  ]);
  expect([...xml.matchAll(/<lastmod>([^<]*)<\/lastmod>/g)].map(([, at]) => at)).toEqual([
    changed,
    changed,
    changed,
    changed,
  ]);
  expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www\.sitemaps\.org/);
});

it('comes in parts where it is large, which have every URL once, and no other part', async () => {
  const sitemap = sitemapOf(50_000, 400);
  const index = await sitemap('org', undefined, context);
  expect(index).toContain('<sitemapindex');
  const parts = [1, 2, 3].map((part) => `https://org.example/base/sitemap.xml?site=org&amp;part=${part}`);
  expect(urlsIn(index)).toEqual(parts);
  const all = await Promise.all([1, 2, 3].map((part) => sitemap('org', part, context)));
  const urls = all.flatMap(urlsIn);
  expect([urls.length, new Set(urls).size]).toEqual([50_407, 50_407]);
  await expect(sitemap('org', 4, context)).rejects.toMatchObject({ code: 'not_found' });
});

it('reads a page of a list once for as long as its bytes are the same', async () => {
  const lists = pages(500, 0);
  const sitemap = createSitemap(lists, sites);
  const first = await sitemap('org', undefined, context);
  // A listing that is parsed again would now fail.
  for (const { body } of lists.given) body.fill('!');
  expect(await sitemap('org', undefined, context)).toBe(first);
});

function sitemapOf(articles: number, objects: number) {
  return createSitemap(pages(articles, objects), sites);
}

/** Listings like those of the gateway's cache: the same query returns the same bytes. */
function pages(articles: number, objects: number) {
  const listings = new Map<string, ContentResponse>();
  const page = (
    name: string,
    count: number,
    { cursor, limit }: Pick<IndexQuery, 'cursor' | 'limit'>,
  ): ContentResponse => {
    const from = Number(cursor);
    const entries = Array.from({ length: Math.min(limit, count - from) }, (_, at) => ({
      human_url: `https://org.example/base/${name}-${from + at}?a=1&b=2`,
      published_at: imported,
      updated_at: changed,
      ...(name === 'a' && { revision: from + at + 1 }),
    }));
    const next_cursor = from + limit < count ? String(from + limit) : null;
    const known = listings.get(name + cursor) ?? {
      body: Buffer.from(JSON.stringify({ entries, next_cursor })),
      etag: '',
      dependencies: [],
    };
    listings.set(name + cursor, known);
    return known;
  };
  return {
    index: (query: IndexQuery) => page('a', articles, query),
    catalog: (query: CatalogQuery) => page('o', objects, query),
    get given() {
      return [...listings.values()];
    },
  };
}

function urlsIn(xml: string): string[] {
  return [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url ?? '');
}
