import type { Attribution } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import type { Article, ArticleOutcome } from './article.js';
import { decidePut } from './article-decisions.js';
import { type ArticlePut, checkArticlePut } from './article-input.js';
import type { ArticleRevision } from './article-revision.js';
import { unknownArticle } from './unknown-article.js';

/**
 * Makes the put that brings back the text of a revision. The time of publication and the state stay as they are.
 *
 * @throws KnowledgeError `validation_error` for an old text that breaks a rule of today, or without `expectedRevision`.
 */
export function putOfRevision({ article }: ArticleRevision, expectedRevision: number, reason: string): ArticlePut {
  if (expectedRevision < 1) {
    throw new KnowledgeError('validation_error', 'expected_revision must be the revision that the article has now.');
  }
  return checkArticlePut({ ...article, publishedAt: undefined, publish: false, expectedRevision, reason });
}

/**
 * Puts the text of a revision back as a new revision. An article that has this text already does not change.
 *
 * @throws KnowledgeError `not_found`; `invalid_state` for a stale revision, as a put.
 */
export function decideRestoration(
  before: Article | undefined,
  put: ArticlePut,
  restoredRevision: number,
  act: Attribution,
): ArticleOutcome {
  if (before === undefined) throw unknownArticle();
  const decided = decidePut(before, put, act);
  return decided.outcome === 'unchanged' ? decided : { ...decided, restoredRevision };
}
