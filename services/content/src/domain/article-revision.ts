import type { Transition } from '@knowledge/runtime';
import type { Article } from './article.js';
import type { ArticleFacts } from './article-facts.js';

/** One revision of an article, with everything that the article had at it. */
export interface ArticleRevision {
  readonly article: Omit<Article, 'createdAt'>;
  readonly transition: Transition;
  /** The revision whose text was put back here; undefined for a revision that restored nothing. */
  readonly restoredRevision: number | undefined;
}

/** Whether readers see a revision. */
export type RevisionVisibility = 'never' | 'earlier' | 'now';

/** What changed with a revision, without its text. */
export interface RevisionSummary extends Pick<ArticleRevision, 'transition' | 'restoredRevision'> {
  readonly visibility: RevisionVisibility;
  /** The fields that differ from the revision before. */
  readonly changedFields: readonly (keyof ArticleFacts)[];
  /** How many words of the Markdown are new. A word that only moved is neither added nor removed. */
  readonly wordsAdded: number;
  readonly wordsRemoved: number;
}
