import { KnowledgeError } from '@knowledge/runtime';
import type { Article, ArticleDecision, ArticleState } from './article.js';
import type { ArticlePut } from './article-input.js';
import { countWords, plainText } from './markdown-text.js';
import { checkRevision } from './revision.js';
import type { Act } from './transition.js';

/** Creates the article, or changes it where the put differs from it. */
export function decidePut(before: Article | undefined, put: ArticlePut, act: Act): ArticleDecision {
  const state: ArticleState = put.publish ? 'published' : (before?.state ?? 'draft');
  const { site, slug, title, summary, tags, author, language, body } = put;
  const asked = { site, slug, title, summary, tags, author, language, body, state };
  const publishedAt = put.publishedAt ?? before?.publishedAt;
  const same = before !== undefined && isSame(before, { ...asked, publishedAt });
  checkRevision({ stored: before?.revision ?? 0, expected: put.expectedRevision, same });
  if (same) return { outcome: 'unchanged', article: before };
  const wordCount = before?.body === body ? before.wordCount : countWords(plainText(body));
  return revise(before, { ...asked, publishedAt, wordCount, createdAt: before?.createdAt ?? act.at }, act);
}

/** Publishes a draft or an archived article; a published one stays as it is. */
export function decidePublish(before: Article | undefined, expectedRevision: number, act: Act): ArticleDecision {
  return decideState(before, 'published', expectedRevision, act);
}

/** Withdraws a published article; an archived one stays as it is, a draft was never seen. */
export function decideArchive(before: Article | undefined, expectedRevision: number, act: Act): ArticleDecision {
  return decideState(before, 'archived', expectedRevision, act);
}

/** Takes an article back to draft; a draft stays as it is. */
export function decideDraft(before: Article | undefined, expectedRevision: number, act: Act): ArticleDecision {
  return decideState(before, 'draft', expectedRevision, act);
}

function decideState(before: Article | undefined, state: ArticleState, expected: number, act: Act): ArticleDecision {
  if (before === undefined) throw new KnowledgeError('not_found', 'There is no such article.');
  const same = before.state === state;
  checkRevision({ stored: before.revision, expected, same });
  if (same) return { outcome: 'unchanged', article: before };
  if (state === 'archived' && before.state === 'draft') {
    throw new KnowledgeError('invalid_state', 'A draft cannot be archived; it was never published.');
  }
  return revise(before, { ...before, state }, act);
}

function revise(
  before: Article | undefined,
  after: Omit<Article, 'revision' | 'updatedAt'>,
  act: Act,
): Exclude<ArticleDecision, { outcome: 'unchanged' }> {
  const revision = (before?.revision ?? 0) + 1;
  const publishedAt = after.publishedAt ?? (after.state === 'published' ? act.at : undefined);
  return {
    outcome: before === undefined ? 'created' : 'updated',
    before,
    article: { ...after, publishedAt, updatedAt: act.at, revision },
    transition: { ...act, from: before?.state ?? '', to: after.state, revision },
  };
}

function isSame(before: Article, asked: Omit<Article, 'revision' | 'updatedAt' | 'createdAt' | 'wordCount'>): boolean {
  return (
    before.state === asked.state &&
    before.title === asked.title &&
    before.summary === asked.summary &&
    before.author === asked.author &&
    before.language === asked.language &&
    before.body === asked.body &&
    before.publishedAt?.getTime() === asked.publishedAt?.getTime() &&
    before.tags.length === asked.tags.length &&
    before.tags.every((tag, index) => tag === asked.tags[index])
  );
}
