import { expect, it } from 'vitest';
import type { IndexQuery } from '../../api/content.js';
import { cachedList } from '../../testing/stand-ins.js';
import { createDirectory } from './directory.js';

const context = { id: 'test', deadline: Date.now() + 10_000 };
const all = { site: 'org', tag: '', language: '', author: '', from: 0, count: 20 } as const;

it('lists by number across the pages of the index, and counts', async () => {
  const directory = createDirectory(indexOf(450));
  const { entries, total, hasMore, cursor } = await directory.list({ ...all, from: 190 }, context);
  expect(entries.map(({ slug }) => slug)).toEqual(Array.from({ length: 20 }, (_, at) => `a-${190 + at}`));
  expect([total, hasMore, cursor]).toEqual([450, true, '']);
  const last = await directory.list({ ...all, from: 440 }, context);
  expect([last.entries.length, last.hasMore]).toEqual([10, false]);
  expect((await directory.list({ ...all, from: 199_980 }, context)).entries).toEqual([]);
});

it('chooses by language and author, and by both', async () => {
  const directory = createDirectory(indexOf(450));
  const german = await directory.list({ ...all, language: 'de' }, context);
  expect([german.total, german.entries[1]?.slug]).toEqual([45, 'a-10']);
  expect((await directory.list({ ...all, language: 'de', author: 'Author 0' }, context)).total).toBe(15);
  expect((await directory.list({ ...all, author: 'Nobody' }, context)).total).toBe(0);
});

it('reads 2,000 articles of a larger site and goes on by cursor, without a false count', async () => {
  const index = indexOf(5_000);
  const { total, hasMore, cursor } = await createDirectory(index).list({ ...all, from: 1_980 }, context);
  expect([total, hasMore, cursor, index.reads]).toEqual([null, false, '2000', 10]);
  const filtered = await createDirectory(index).list({ ...all, language: 'de' }, context);
  expect([filtered.total, filtered.cursor]).toEqual([null, '']);
});

it('counts tags, languages and authors, the most used first', async () => {
  const facets = await createDirectory(indexOf(450)).facets('org', context);
  expect(facets.languages).toEqual([
    { name: 'en', count: 405 },
    { name: 'de', count: 45 },
  ]);
  expect(facets.tags.map(({ name }) => name)).toEqual(['all', 'even']);
  expect([facets.authors.length, facets.isWhole]).toEqual([3, true]);
  expect((await createDirectory(indexOf(5_000)).facets('org', context)).isWhole).toBe(false);
});

it.each([
  ['a-0', undefined, 'a-1'],
  ['a-199', 'a-198', 'a-200'],
  ['a-200', 'a-199', 'a-201'],
  ['a-449', 'a-448', undefined],
  ['nowhere', undefined, undefined],
])('finds what is beside %s', async (slug, newer, older) => {
  const adjacent = await createDirectory(indexOf(450)).adjacent('org', slug, context);
  expect([adjacent.newer?.slug, adjacent.older?.slug]).toEqual([newer, older]);
});

function indexOf(count: number) {
  const { list } = cachedList(count, entry);
  const index = {
    reads: 0,
    index(query: IndexQuery) {
      index.reads += 1;
      return list(query);
    },
  };
  return index;
}

function entry(at: number) {
  return {
    slug: `a-${at}`,
    tags: at % 2 === 0 ? ['all', 'even'] : ['all'],
    language: at % 10 === 0 ? 'de' : 'en',
    author: `Author ${at % 3}`,
  };
}
