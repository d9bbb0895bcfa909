import { expect, it } from 'vitest';
import { type ReadParts, readArticles, tagKey } from './read.js';

const { signal } = new AbortController();
const article = (site: string, slug: string, tags: string[]) => ({
  ...{ site, slug, tags, title: '', publishedAt: new Date(0) },
});

it('reads published articles with related articles of the same site, all from after the call', async () => {
  const steps: string[] = [];
  const published = new Map([
    ['org/a', article('org', 'a', ['t', 'u'])],
    ['io/b', article('io', 'b', ['t'])],
  ]);
  const lists = new Map([
    ['org/t', [article('org', 'a', ['t']), article('org', 'c', ['t'])]],
    ['org/u', []],
    ['io/t', [article('io', 'd', ['t'])]],
  ]);
  const parts = {
    reads: {
      async published(names: unknown, each: AbortSignal) {
        steps.push(`read ${JSON.stringify(names)} ${each === signal}`);
        return published;
      },
    },
    changeStream: {
      async sync() {
        await Promise.resolve();
        steps.push('synced');
      },
    },
    tagLists: {
      async read(tags: Parameters<ReadParts['tagLists']['read']>[0]) {
        steps.push([...tags].map(tagKey).join());
        return lists;
      },
    },
  } as unknown as ReadParts;
  const names = [{ site: 'org', slug: 'a' }] as const;
  const found = await readArticles(parts, names, signal);
  expect(steps).toEqual([`read ${JSON.stringify(names)} true`, 'synced', 'org/t,org/u,io/t']);
  const shown = [...found].map(([name, each]) => [name, each.article.slug, each.related.map(({ slug }) => slug)]);
  expect(shown).toEqual([
    ['org/a', 'a', ['c']],
    ['io/b', 'b', ['d']],
  ]);
});
