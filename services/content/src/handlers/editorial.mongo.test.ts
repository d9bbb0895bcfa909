import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ArticleState } from '@knowledge/proto/knowledge/content/v1/content';
import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError } from '@knowledge/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { articlePut } from '../testing/put.js';
import { asEditor, type ServedContent, serveContent } from '../testing/serve-content.js';

let served: ServedContent;
beforeAll(async () => {
  served = await serveContent();
});
afterAll(() => served.close());

it('keeps every revision of an article with who, when and why', async () => {
  const { editorial } = served;
  const created = await editorial.putArticle(articlePut({ slug: 'kept', reason: 'first' }), asEditor);
  expect(created.outcome).toBe(PutOutcome.CREATED);
  expect(created.article?.state).toBe(ArticleState.DRAFT);
  const name = { site: Site.ORG, slug: 'kept' };
  await editorial.publishArticle({ ...name, expectedRevision: 1, reason: 'ready' }, asEditor);
  await editorial.archiveArticle({ ...name, expectedRevision: 2, reason: 'wrong' }, asEditor);
  const { article } = await editorial.getArticleRecord(name, asEditor);
  expect(article?.body).toBe('Some **bold** words.');
  expect(
    article?.history.map(({ fromState, toState, reason, revision, actor }) => [
      fromState,
      toState,
      reason,
      revision,
      actor,
    ]),
  ).toEqual([
    ['', 'draft', 'first', 1, 'editor@test'],
    ['draft', 'published', 'ready', 2, 'editor@test'],
    ['published', 'archived', 'wrong', 3, 'editor@test'],
  ]);
  expect(article?.entry).toMatchObject({ wordCount: 3, revision: 3, language: 'en' });
});

it('names every failing field and its bound', async () => {
  const bad = articlePut({
    slug: 'Bad Slug',
    title: ' ',
    tags: ['UPPER'],
    author: 'a@example.org',
    language: 'not a tag',
    body: '',
  });
  const error = await served.editorial.putArticle(bad, asEditor).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(KnowledgeError);
  const { code, message } = error as KnowledgeError;
  expect(code).toBe('validation_error');
  for (const field of ['slug', 'title', 'tags', 'author', 'language', 'body']) expect(message).toContain(field);
});

it('refuses a change that does not say who makes it', async () => {
  await expect(
    served.editorial.putArticle(articlePut({ slug: 'nobody' }), { requestId: 'test' }),
  ).rejects.toMatchObject({
    code: 'validation_error',
  });
});
