import { applySchema } from '@knowledge/runtime/mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArticleFilter, MatchPosition } from '../domain/listing.js';
import { type ExplainedDatabase, openExplainedDatabase } from '../testing/explain.js';
import { seededArticle } from '../testing/seed.js';
import { type ArticleSearch, createArticleSearch } from './article-search.js';
import { collectionsOf } from './documents.js';
import { schema } from './schema.js';

const { signal } = new AbortController();
const all: ArticleFilter = { site: 'org', query: '', tag: '', updatedSince: undefined };
let mongo: ExplainedDatabase;
let articles: ArticleSearch;
beforeAll(async () => {
  mongo = openExplainedDatabase('search');
  await applySchema(mongo.db, schema);
  const collections = collectionsOf(mongo.db);
  articles = createArticleSearch(collections);
  const rare = [
    { slug: 'in-title', title: 'Zebra crossing' },
    { slug: 'in-tags', title: 'Other', tags: ['zebra'] },
    { slug: 'in-body', title: 'Other', body: 'a zebra' },
    ...[1, 2, 3, 4, 5].map((each) => ({ slug: `same-${each}`, title: 'Other', body: 'one zebra' })),
    { slug: 'polish', title: 'Zażółć', body: 'gęślą jaźń', language: 'pl' },
    { slug: 'hidden', title: 'Zebra', state: 'archived' as const },
  ];
  const common = Array.from({ length: 3000 }, (_, each) => ({
    ...{ slug: `common-${each}`, body: 'walrus and tusk', tags: each % 100 === 0 ? ['hundredth'] : [] },
    title: each % 1000 === 7 ? `Walrus ${each}` : `Article ${each}`,
  }));
  await collections.articles.insertMany(
    [...rare, ...common].map((each, place) =>
      seededArticle(place, { body: 'nothing else', ...each, _id: `org/${each.slug}` }),
    ),
  );
  await collections.articles.insertOne(
    seededArticle(1, { _id: 'io/zebra', slug: 'zebra', site: 'io', title: 'Zebra' }),
  );
});
afterAll(() => mongo.close());

async function search(query: string, filter: Partial<ArticleFilter> = {}, size = 3): Promise<string[]> {
  const slugs: string[] = [];
  for (let after: MatchPosition | undefined; ; ) {
    const page = await articles.search({ ...all, ...filter, query }, { size, after }, signal);
    slugs.push(...page.items.map(({ slug }) => slug));
    if (page.next === undefined) return slugs;
    after = page.next;
  }
}

describe('search', () => {
  it('lists each published match of the site once, best first, over all list pages', async () => {
    const found = await search('zebra');
    expect(found.slice(0, 3)).toEqual(['in-title', 'in-tags', 'in-body']);
    expect(found.slice(3).sort()).toEqual(['same-1', 'same-2', 'same-3', 'same-4', 'same-5']);
    expect(await search('ZEBRAS')).toHaveLength(8);
    expect(await search('"crossing" -zebra')).toEqual(found);
  });

  it('can be limited by tag and time', async () => {
    expect(await search('zebra', { tag: 'zebra' })).toEqual(['in-tags']);
    expect(await search('zebra', { updatedSince: new Date(0) })).toHaveLength(8);
    expect(await search('zebra', { updatedSince: new Date('2100-01-01') })).toEqual([]);
  });

  it('finds articles in any language', async () => {
    expect(await search('gęślą')).toEqual(['polish']);
  });

  it.each(['the', 'of the and', ' ', '\n', '"', '""', '-', '$where', '\0', '¿?!…', '\\', '🙂', '"the" -', ')(|&*'])(
    'gives an empty page for %j',
    async (query) => {
      expect(await search(query)).toEqual([]);
    },
  );

  it('lists the best matches of a common word, each once over all list pages', async () => {
    const found = await search('walruses', {}, 50);
    expect(found.slice(0, 3)).toEqual(['common-2007', 'common-1007', 'common-7']);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toHaveLength(200);
    expect(await search('walrus', { tag: 'hundredth' }, 50)).not.toEqual([]);
    // The search also finds a rare word together with a common word.
    expect((await search('walrus crossing', {}, 50))[0]).toBe('common-2007');
    expect(await search('walrus crossing', {}, 50)).toContain('in-title');
  });

  it.each(['walrus', 'walrus tusk', 'walrus zebra'])('reads a limited number of articles for %j', async (query) => {
    const after = { score: 1, at: new Date('2030-01-01'), id: '' };
    for (const from of [undefined, after]) {
      const explained = await mongo.explain(() =>
        articles.search({ ...all, query }, { size: 50, after: from }, signal),
      );
      expect(explained.map(({ keysExamined }) => keysExamined)).toEqual([
        2001,
        ...query.split(' ').map((word) => (word === 'zebra' ? 8 : 200)),
      ]);
    }
  });
});
