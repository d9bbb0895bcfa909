import type { Transition } from '@knowledge/runtime';
import type { ArticleFacts } from './article-facts.js';

/** `scheduled` means: to be published at a time in the future. */
export type ArticleState = 'draft' | 'scheduled' | 'published' | 'archived';

export const articleStates: readonly ArticleState[] = ['draft', 'scheduled', 'published', 'archived'];

/** Identifies an article. */
export type ArticleName = Pick<ArticleFacts, 'site' | 'slug'>;

/** An article in a listing. */
export interface ArticleEntry extends Omit<ArticleFacts, 'body'> {
  /** When any field or the state last changed, so `updated_since` also finds articles that were published since. */
  readonly updatedAt: Date;
  readonly wordCount: number;
  readonly revision: number;
}

/** An article in a listing for editors. */
export interface ArticleRecord extends ArticleEntry {
  readonly state: ArticleState;
  readonly createdAt: Date;
}

/** An article with its body. */
export interface Article extends ArticleRecord, ArticleFacts {}

/** The outcome of a change: no change, or the next revision. */
export type ArticleOutcome =
  | { readonly outcome: 'unchanged'; readonly article: Article }
  | {
      readonly outcome: 'created' | 'updated';
      readonly before: Article | undefined;
      readonly article: Article;
      readonly transition: Transition;
    };

/** The outcome of a deletion, with what the log keeps of the article. */
export interface Removal {
  readonly outcome: 'deleted';
  readonly tags: readonly string[];
  readonly transition: Transition;
}
