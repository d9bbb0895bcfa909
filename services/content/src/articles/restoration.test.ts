import { expect, it } from 'vitest';
import { articlePut } from '../testing/put.js';
import { decideArchive, decidePublish, decidePut } from './decisions.js';
import { type Article, checkArticlePut } from './domain.js';
import { type ArticleRevision, decideRestoration, putOfRevision } from './revisions.js';

const act = { actor: 'ann', at: new Date('2026-06-01T09:00:00Z'), reason: '' };
const later = { ...act, at: new Date('2026-06-02T09:00:00Z') };
const tomorrow = new Date('2026-06-03T09:00:00Z');
const request = articlePut({ slug: 'a', title: 'Old', summary: 'S', tags: ['old'], body: 'Old words' });
const old = checkArticlePut({ ...request, site: 'org', publishedAt: tomorrow });
const first = decidePut(undefined, old, act);
const revision: ArticleRevision = {
  article: first.article,
  transition: { ...act, from: '', to: 'draft', revision: 1 },
  restoredRevision: undefined,
};
const changed = decidePut(
  first.article,
  { ...old, title: 'New', summary: '', tags: [], body: 'New words here', publishedAt: act.at },
  act,
).article;

const restore = (before: Article | undefined, expected: number, from = revision) =>
  decideRestoration(before, putOfRevision(from, expected, ''), from.article.revision, later);

it('brings every field back but the time of publication and the state, as a new revision', () => {
  const published = decidePublish(changed, 0, act).article;
  expect(restore(published, 3)).toMatchObject({
    outcome: 'updated',
    article: {
      ...{ title: 'Old', summary: 'S', tags: ['old'], body: 'Old words', wordCount: 2, revision: 4 },
      ...{ state: 'published', publishedAt: act.at, createdAt: act.at, updatedAt: later.at },
    },
    transition: { from: 'published', to: 'published', revision: 4 },
    restoredRevision: 1,
  });
  expect(restore(decideArchive(published, 0, act).article, 4).article.state).toBe('archived');
  expect(restore(changed, 2).article.state).toBe('draft');
});

it('changes nothing if the article has the text already, also when it is repeated', () => {
  expect(restore(first.article, 1).outcome).toBe('unchanged');
  const restored = restore(changed, 2).article;
  expect(restore(restored, 2).outcome).toBe('unchanged');
});

it('needs the present revision', () => {
  const stale = expect.objectContaining({ code: 'invalid_state', grpcStatus: 10 });
  expect(() => restore(changed, 1)).toThrow(stale);
  for (const none of [0, -1]) expect(() => restore(changed, none)).toThrow('expected_revision must be');
});

it('does not bring back an article that was deleted', () => {
  expect(() => restore(undefined, 1)).toThrow(expect.objectContaining({ code: 'not_found' }));
});

it('refuses an old text that breaks a rule of today', () => {
  const article = { ...first.article, author: 'ann@example.org', tags: ['Not a tag'] };
  expect(() => restore(changed, 2, { ...revision, article })).toThrow(/author.*tags|tags.*author/);
});
