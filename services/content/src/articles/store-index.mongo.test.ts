import type { ListPosition } from '@knowledge/runtime';
import { applySchema } from '@knowledge/runtime/mongodb';
import { afterAll, describe, expect, it } from 'vitest';
import { collectionsOf, textsSchema } from '../collections.js';
import { openExplainedDatabase } from '../testing/open-stores.js';
import { seededArticle } from '../testing/put.js';
import type { ArticleFilter } from './listing.js';
import { createArticleIndex, createArticleReads } from './store-reads.js';

const count = 5000;
const { signal } = new AbortController();
const mongo = openExplainedDatabase('index');
afterAll(() => mongo.close());
await applySchema(mongo.db, textsSchema);
const collections = collectionsOf(mongo.db);
await collections.articles.insertMany(Array.from({ length: count }, (_, each) => seededArticle(each)));
await collections.articles.insertMany([
  seededArticle(1, { _id: 'io/article-000001', site: 'io', title: 'Elsewhere' }),
  seededArticle(count, { state: 'draft', publishedAt: null, title: 'Unseen' }),
  seededArticle(count + 1, { state: 'archived', title: 'Unseen' }),
]);
const index = createArticleIndex(collections);
const reads = createArticleReads(collections);

const all: ArticleFilter = { site: 'org', query: '', tag: '', updatedSince: undefined };

async function walk(filter: ArticleFilter, size: number): Promise<string[]> {
  const slugs: string[] = [];
  for (let after: ListPosition | undefined; ; ) {
    const page = await index.page(filter, { size, after }, signal);
    slugs.push(...page.items.map(({ slug }) => slug));
    if (page.next === undefined) return slugs;
    after = page.next;
  }
}

describe('the index', () => {
  it('lists every published article of the site once, newest first, then by slug', async () => {
    const newestFirst = Array.from({ length: count }, (_, each) => seededArticle(each)).sort(
      (a, b) => Number(b.publishedAt) - Number(a.publishedAt) || (a.slug < b.slug ? -1 : 1),
    );
    expect(await walk(all, 200)).toEqual(newestFirst.map(({ slug }) => slug));
  });

  it('has no next list page when the last one is full', async () => {
    const page = await index.page({ ...all, tag: 'rare-1' }, { size: 5, after: undefined }, signal);
    expect(page.items).toHaveLength(5);
    expect(page.next).toBeUndefined();
  });

  it('lists each article of a tag once', async () => {
    expect(await walk({ ...all, tag: 'mod-3' }, 7)).toHaveLength(count / 10);
  });

  it.each([0, 1, 400, 4990])('lists the articles updated since a time, %i from the end', async (back) => {
    const updatedSince = seededArticle(count - 1 - back).updatedAt;
    const wanted = Array.from({ length: count }, (_, each) => seededArticle(each)).filter(
      (each) => each.updatedAt >= updatedSince,
    ).length;
    expect(await walk({ ...all, updatedSince }, 200)).toHaveLength(wanted);
    expect(await walk({ ...all, updatedSince, tag: 'all' }, 200)).toHaveLength(wanted);
  });
});

describe('the cost of a page', () => {
  const size = 50;
  const few = 5;
  const deep = { at: seededArticle(900).publishedAt as Date, id: seededArticle(900).slug };

  it.each([
    ['first', all, undefined],
    ['deep', all, deep],
    ['first of a tag on every article', { ...all, tag: 'all' }, undefined],
    ['deep of a tag on every article', { ...all, tag: 'all' }, deep],
    ['first of a tag on a tenth', { ...all, tag: 'mod-3' }, undefined],
    ['deep of a tag on a tenth', { ...all, tag: 'mod-3' }, deep],
    ['updated since the beginning', { ...all, updatedSince: new Date(0) }, deep],
  ])('%s', async (_, filter, after) => {
    const explained = await mongo.explain(async () => {
      const { items } = await index.page(filter, { size, after }, signal);
      expect(items).toHaveLength(size);
    });
    const page = explained.at(-1);
    expect(page?.keysExamined).toBeLessThanOrEqual(size + few);
    expect(page?.docsExamined).toBeLessThanOrEqual(size + few);
  });

  it('is limited for recently updated articles', async () => {
    const updatedSince = seededArticle(count - 100).updatedAt;
    const page = () => index.page({ ...all, updatedSince }, { size, after: undefined }, signal);
    for (const { keysExamined } of await mongo.explain(page)) expect(keysExamined).toBeLessThanOrEqual(120);
  });

  it('depends only on its entries in the listing for editors too', async () => {
    const after = { at: seededArticle(900).updatedAt, id: seededArticle(900)._id };
    for (const filter of [
      { site: undefined, state: undefined },
      { site: 'org' as const, state: undefined },
      { site: undefined, state: 'published' as const },
    ]) {
      for (const from of [undefined, after]) {
        const whole = { ...filter, words: [], tag: '', names: undefined };
        const [page] = await mongo.explain(() => reads.records(whole, { size, after: from }, signal));
        expect(page?.keysExamined).toBeLessThanOrEqual(size + 12);
        expect(page?.docsExamined).toBeLessThanOrEqual(size + few);
      }
    }
  });

  it('is limited for related articles, also for a tag of all articles', async () => {
    const [list] = await mongo.explain(() => reads.tagged('org', 'all', 32, signal));
    expect(list?.docsExamined).toBe(32);
  });
});
