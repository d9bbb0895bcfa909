import { KnowledgeError } from '@knowledge/runtime';

/** The error for an article that does not exist. */
export function unknownArticle(): KnowledgeError {
  return new KnowledgeError('not_found', 'There is no such article.');
}
