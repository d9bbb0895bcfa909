import type { Transition } from '@knowledge/runtime';
import type { ArticleFacts } from './article-facts.js';

/** The state of an article. A `scheduled` article will be published at a time in the future. */
export type ArticleState = 'draft' | 'scheduled' | 'published' | 'archived';

export const articleStates: readonly ArticleState[] = ['draft', 'scheduled', 'published', 'archived'];

/** The site and slug that identify an article. */
export type ArticleName = Pick<ArticleFacts, 'site' | 'slug'>;

/** One article in a listing for readers. */
export interface ArticleEntry extends Omit<ArticleFacts, 'body'> {
  /**
   * The time of the last change to a field or the state. So `updated_since` also finds articles that were published
   * later.
   */
  readonly updatedAt: Date;
  readonly wordCount: number;
  /** About how many tokens a language model needs to read the body. */
  readonly readingTokens: number;
  readonly revision: number;
}

/** One article in a listing for editors. */
export interface ArticleRecord extends ArticleEntry {
  readonly state: ArticleState;
  readonly createdAt: Date;
}

/** An article with its body. */
export interface Article extends ArticleRecord, ArticleFacts {}

/** The outcome of a change: the article is unchanged or has a new revision. */
export type ArticleOutcome =
  | { readonly outcome: 'unchanged'; readonly article: Article }
  | {
      readonly outcome: 'created' | 'updated';
      readonly before: Article | undefined;
      readonly article: Article;
      readonly transition: Transition;
      /** The revision whose text this change put back, if it did. */
      readonly restoredRevision?: number;
    };

/** The outcome of a deletion, with the facts that the change log stores about the article. */
export interface Removal {
  readonly outcome: 'deleted';
  readonly tags: readonly string[];
  readonly transition: Transition;
}
