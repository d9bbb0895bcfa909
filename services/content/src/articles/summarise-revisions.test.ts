import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { articlePut } from '../testing/put.js';
import { decideArchive, decidePublish, decidePut } from './decisions.js';
import { type Article, checkArticlePut } from './domain.js';
import { type ArticleRevision, summariseRevisions } from './revisions.js';

const act = { actor: 'ann', at: new Date('2026-06-01T09:00:00Z'), reason: 'because' };
const facts = { slug: 'a', title: 'A', summary: '', tags: ['t'], author: '', body: 'Two words' };
const put = checkArticlePut({ ...articlePut(facts), site: 'org' });

/** Applies the changes one after the other and lists the revisions, newest first. */
function revisionsOf(...changes: ((before: Article | undefined) => ReturnType<typeof decidePut>)[]): ArticleRevision[] {
  const revisions: ArticleRevision[] = [];
  let article: Article | undefined;
  for (const change of changes) {
    const decided = change(article);
    article = decided.article;
    if (decided.outcome !== 'unchanged')
      revisions.unshift({ article, transition: decided.transition, restoredRevision: undefined });
  }
  return revisions;
}

const putting = (part: Partial<typeof put>) => (before: Article | undefined) =>
  decidePut(before, { ...put, ...part }, act);
const summariesOf = (revisions: ArticleRevision[], current = revisions[0]?.article.revision ?? 0) =>
  summariseRevisions(Readable.from(revisions), current);

it('names the fields that changed, and for the first revision those that are not empty', async () => {
  const revisions = revisionsOf(
    putting({}),
    putting({ title: 'B', tags: ['t', 'u'] }),
    putting({ author: 'Bo', summary: 'S', language: 'pl', body: 'Three words now', publishedAt: new Date(0) }),
  );
  expect((await summariesOf(revisions)).map(({ changedFields }) => [...changedFields].sort())).toEqual([
    ['author', 'body', 'language', 'publishedAt', 'summary', 'tags', 'title'],
    ['tags', 'title'],
    ['body', 'language', 'tags', 'title'],
  ]);
});

it('says whether readers saw it, and whether they see it now', async () => {
  const revisions = revisionsOf(
    putting({}),
    (before) => decidePublish(before, 0, act),
    putting({ title: 'B' }),
    (before) => decideArchive(before, 0, act),
    (before) => decidePublish(before, 0, act),
  );
  const seen = ['now', 'never', 'earlier', 'earlier', 'never'];
  expect((await summariesOf(revisions)).map(({ visibility }) => visibility)).toEqual(seen);
  const part = revisions.slice(1, 3);
  expect((await summariesOf(part, 5)).map(({ visibility }) => visibility)).toEqual(['never', 'earlier']);
});

it.each([
  ['Two words', 'Two other words', 1, 0],
  ['Two words', 'words Two', 0, 0],
  ['a a a b', 'a b b', 1, 2],
  ['[link](https://old.example)', '[link](https://new.example)', 1, 1],
  ['**bold** text', 'bold text', 0, 0],
  ['x'.repeat(8000), 'y'.repeat(8000), 1, 1],
  ['Größe don’t', 'Größe don’t co-op', 1, 0],
])('counts words: %j to %j', async (before, now, wordsAdded, wordsRemoved) => {
  const [summary] = await summariesOf(revisionsOf(putting({ body: before }), putting({ body: now, title: 'B' })));
  expect(summary).toMatchObject({ wordsAdded, wordsRemoved });
});

it('counts exactly the words by which two texts differ', async () => {
  const words = fc.array(fc.constantFrom('one', 'two', 'three'), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(words, words, async (before, now) => {
      const puts = [putting({ body: before.join(' ') }), putting({ body: now.join(' '), title: 'B' })];
      const [summary] = await summariesOf(revisionsOf(...puts));
      const { wordsAdded = -1, wordsRemoved = -1 } = summary ?? {};
      expect(wordsAdded - wordsRemoved).toBe(now.length - before.length);
      expect(wordsAdded).toBeLessThanOrEqual(now.length);
      const isSame = [...before].sort().join() === [...now].sort().join();
      expect(wordsAdded + wordsRemoved === 0).toBe(isSame);
    }),
  );
});

it('gives nothing for no revision', async () => expect(await summariesOf([])).toEqual([]));
