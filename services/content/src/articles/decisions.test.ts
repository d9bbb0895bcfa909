import { describe, expect, it } from 'vitest';
import { articlePut } from '../testing/put.js';
import { decideArchive, decideDraft, decideDue, decidePublish, decidePut, decideRemoval } from './decisions.js';
import { type Article, type ArticleState, checkArticlePut } from './domain.js';

const act = { actor: 'ann', at: new Date('2026-06-01T09:00:00Z'), reason: 'because' };
const later = { ...act, at: new Date('2026-06-02T09:00:00Z') };
const stale = expect.objectContaining({ code: 'invalid_state', grpcStatus: 10 });

const request = articlePut({ slug: 'a', title: 'A', tags: ['t'], author: '', body: 'Two words' });
const put = checkArticlePut({ ...request, site: 'org' });

function existing(state: ArticleState, part: Partial<Article> = {}): Article {
  const decision = decidePut(undefined, { ...put, publish: state !== 'draft' }, act);
  return { ...decision.article, state, ...part };
}

describe('a put', () => {
  it('creates a draft, or a published article with a time of publication', () => {
    expect(decidePut(undefined, put, act)).toMatchObject({
      outcome: 'created',
      article: { state: 'draft', publishedAt: undefined, revision: 1, wordCount: 2, updatedAt: act.at },
      transition: { from: '', to: 'draft', actor: 'ann', reason: 'because', revision: 1 },
    });
    expect(decidePut(undefined, { ...put, publish: true }, act)).toMatchObject({
      article: { state: 'published', publishedAt: act.at },
      transition: { from: '', to: 'published' },
    });
  });

  it('changes nothing if it equals the stored article', () => {
    for (const state of ['draft', 'published', 'archived'] as const) {
      expect(decidePut(existing(state), put, later).outcome).toBe('unchanged');
    }
    expect(decidePut(existing('published'), { ...put, publish: true }, later).outcome).toBe('unchanged');
  });

  it.each([
    ['title', { title: 'B' }],
    ['summary', { summary: 'B' }],
    ['tags', { tags: ['t', 'u'] }],
    ['the order of tags', { tags: ['u', 't'] }],
    ['author', { author: 'B' }],
    ['language', { language: 'pl' }],
    ['body', { body: 'B' }],
    ['published_at', { publishedAt: new Date(0) }],
    ['publish', { publish: true }],
  ])('makes a revision for another %s', (_, part) => {
    const before = existing('draft', { tags: 'tags' in part && part.tags[0] === 'u' ? ['t', 'u'] : ['t'] });
    expect(decidePut(before, { ...put, ...part }, later)).toMatchObject({
      outcome: 'updated',
      article: { revision: 2, createdAt: act.at, updatedAt: later.at },
    });
  });

  it('keeps the state and the time of the first publication', () => {
    const kept = { state: 'published', publishedAt: act.at };
    expect(decidePut(existing('published'), { ...put, title: 'B' }, later).article).toMatchObject(kept);
    expect(decidePut(existing('archived'), { ...put, title: 'B' }, later).article.state).toBe('archived');
    const afterClock = decidePut(existing('published'), { ...put, title: 'B' }, { ...act, at: new Date(0) });
    expect(afterClock.article.updatedAt.getTime()).toBe(act.at.getTime() + 1);
  });

  it('is refused for a stale revision, and accepted if it was already applied', () => {
    const before = existing('published', { revision: 3 });
    expect(() => decidePut(before, { ...put, title: 'B', expectedRevision: 2 }, act)).toThrow(stale);
    expect(() => decidePut(undefined, { ...put, expectedRevision: 2 }, act)).toThrow(stale);
    expect(decidePut(before, { ...put, title: 'B', expectedRevision: 3 }, act).outcome).toBe('updated');
    // The response to the put that made revision 3 was lost, so the editor sends the put again.
    expect(decidePut(before, { ...put, expectedRevision: 2 }, act).outcome).toBe('unchanged');
    expect(() => decidePut(before, { ...put, expectedRevision: 1 }, act)).toThrow(stale);
  });
});

describe('states', () => {
  it.each([decidePublish, decideArchive, decideDraft])('refuse a negative revision (%o)', (decide) => {
    const fault = { code: 'validation_error', message: expect.stringContaining('expected_revision') };
    expect(() => decide(existing('draft'), -1, act)).toThrow(expect.objectContaining(fault));
  });

  it.each([
    ['publish', decidePublish, { draft: 'published', published: 'unchanged', archived: 'published' }],
    ['archive', decideArchive, { draft: 'invalid_state', published: 'archived', archived: 'unchanged' }],
    ['return to draft', decideDraft, { draft: 'unchanged', published: 'draft', archived: 'draft' }],
  ] as const)('%s', (_, decide, table) => {
    for (const state of ['draft', 'published', 'archived'] as const) {
      const wanted = table[state];
      const decision = () => decide(existing(state), 0, later);
      const changed = { article: { state: wanted, revision: 2 }, transition: { from: state, to: wanted } };
      const refused = expect.objectContaining({ code: wanted, grpcStatus: 9 });
      if (wanted === 'invalid_state') expect(decision).toThrow(refused);
      else if (wanted === 'unchanged') expect(decision().outcome).toBe(wanted);
      else expect(decision()).toMatchObject(changed);
    }
    expect(() => decide(undefined, 0, act)).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(() => decide(existing('published', { revision: 5 }), 3, act)).toThrow(stale);
  });

  it('keeps the time of the first publication when an article is published again', () => {
    expect(decidePublish(existing('archived'), 0, later).article.publishedAt).toEqual(act.at);
  });
});

describe('what is stored of a put', () => {
  it('removes hidden characters from the body before it is compared', () => {
    const hidden = checkArticlePut({ ...put, body: 'Two \u202e\u{e0041}words\u200b' });
    expect(hidden.body).toBe('Two words');
    expect(decidePut(existing('draft'), hidden, later).outcome).toBe('unchanged');
  });

  it('stores the language in canonical form', () => {
    expect(checkArticlePut({ ...put, language: '' }).language).toBe('en');
    expect(checkArticlePut({ ...put, language: 'PT-br' }).language).toBe('pt-BR');
  });
});

describe('an article with a future time of publication', () => {
  const publishedAt = new Date('2026-06-10T00:00:00Z');
  const after = { ...act, at: new Date('2026-06-11T00:00:00Z') };
  const scheduled = () => decidePut(undefined, { ...put, publish: true, publishedAt }, act).article;

  it('is scheduled, and the clock publishes it at that time and not before', () => {
    expect(scheduled()).toMatchObject({ state: 'scheduled', publishedAt });
    expect(decideDue(scheduled(), later)).toBeUndefined();
    expect(decideDue(scheduled(), after)?.article).toMatchObject({ state: 'published', publishedAt });
    for (const state of ['draft', 'published', 'archived'] as const)
      expect(decideDue(existing(state, { publishedAt }), after)).toBeUndefined();
    expect(decideDue(undefined, after)).toBeUndefined();
  });

  it('is hidden when its time is moved to the future, and published at once when it is moved to the past', () => {
    expect(decidePut(existing('published'), { ...put, publishedAt }, later).article.state).toBe('scheduled');
    expect(decidePut(scheduled(), { ...put, publishedAt: act.at }, later).article.state).toBe('published');
    expect(decidePublish(existing('draft', { publishedAt }), 0, later).article.state).toBe('scheduled');
    expect(decideDraft(scheduled(), 0, later).article.state).toBe('draft');
    expect(() => decideArchive(scheduled(), 0, later)).toThrow(/scheduled/);
  });
});

it('a removal deletes only a draft', () => {
  expect(decideRemoval(existing('draft', { revision: 3 }), 3, act)).toEqual({
    outcome: 'deleted',
    tags: ['t'],
    transition: { ...act, from: 'draft', to: 'deleted', revision: 4 },
  });
  const refused = (code: string, message: string) => expect.objectContaining({ code, message });
  for (const state of ['scheduled', 'published', 'archived'] as const) {
    const message = `Only a draft can be deleted; this article is ${state}.`;
    expect(() => decideRemoval(existing(state), 0, act)).toThrow(refused('invalid_state', message));
  }
  expect(() => decideRemoval(undefined, 0, act)).toThrow(refused('not_found', 'There is no such article.'));
  expect(() => decideRemoval(existing('draft', { revision: 3 }), 2, act)).toThrow(stale);
});

it('explains why an article that was never published cannot be archived', () => {
  const archive = (state: ArticleState) => () => decideArchive(existing(state), 0, act);
  const draft = 'Readers do not see it: it is draft. A draft cannot be archived; it can be deleted.';
  expect(archive('draft')).toThrow(draft);
  expect(archive('scheduled')).toThrow('Readers do not see it: it is scheduled. Take it back to draft.');
  expect(() => decidePublish(undefined, 0, act)).toThrow('There is no such article.');
});

it('counts the words again only if the body changes', () => {
  const before = existing('draft', { wordCount: 77 });
  expect(decidePut(before, { ...put, title: 'B' }, later).article.wordCount).toBe(77);
  expect(decidePut(before, { ...put, body: 'Now *three* words' }, later).article.wordCount).toBe(3);
});

it('is published at the exact time of its publication', () => {
  expect(decidePut(undefined, { ...put, publish: true, publishedAt: act.at }, act).article.state).toBe('published');
  const scheduled = existing('scheduled', { publishedAt: later.at });
  const transition = { from: 'scheduled', to: 'published', revision: 2 };
  expect(decideDue(scheduled, later)).toMatchObject({ transition });
});
