import { expect, it } from 'vitest';
import { cachedList, sitesAt } from '../../testing/stand-ins.js';
import { createSitemap } from './feed.js';

const sites = sitesAt('https://io.example', 'https://org.example/base');
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
  for (const { body } of lists.given.values()) body.fill('!');
  expect(await sitemap('org', undefined, context)).toBe(first);
});

function sitemapOf(articles: number, objects: number) {
  return createSitemap(pages(articles, objects), sites);
}

function pages(articles: number, objects: number) {
  const entry = (name: string) => (at: number) => ({
    human_url: `https://org.example/base/${name}-${at}?a=1&b=2`,
    published_at: imported,
    updated_at: changed,
    ...(name === 'a' && { revision: at + 1 }),
  });
  const [index, catalog] = [cachedList(articles, entry('a')), cachedList(objects, entry('o'))];
  return { index: index.list, catalog: catalog.list, given: index.given };
}

function urlsIn(xml: string): string[] {
  return [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url ?? '');
}
