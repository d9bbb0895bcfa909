import type { Attribution } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import type { Article, Removal } from './article.js';
import { checkRevision } from './revision.js';
import { unknownArticle } from './unknown-article.js';

/**
 * Deletes a draft. An article that was published once can only be archived.
 *
 * @throws KnowledgeError `not_found`, `invalid_state`.
 */
export function decideRemoval(before: Article | undefined, expectedRevision: number, act: Attribution): Removal {
  if (before === undefined) throw unknownArticle();
  const { state, revision, tags } = before;
  checkRevision({ stored: revision, expected: expectedRevision, same: false });
  if (state !== 'draft') {
    throw new KnowledgeError('invalid_state', `Only a draft can be deleted; this article is ${state}.`);
  }
  return { outcome: 'deleted', tags, transition: { ...act, from: state, to: 'deleted', revision: revision + 1 } };
}
