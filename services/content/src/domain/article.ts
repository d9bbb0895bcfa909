import type { Transition } from '@knowledge/runtime';
import type { ArticleFacts } from './article-facts.js';

/** Draft to published to archived, and back to draft; `scheduled` is published with a time that is still to come. */
export type ArticleState = 'draft' | 'scheduled' | 'published' | 'archived';

/** Every state of an article. */
export const articleStates: readonly ArticleState[] = ['draft', 'scheduled', 'published', 'archived'];

/** What names an article. */
export type ArticleName = Pick<ArticleFacts, 'site' | 'slug'>;

/** What a listing shows of an article. */
export interface ArticleEntry extends Omit<ArticleFacts, 'body'> {
  /** When its text, facts or state last changed, so that `updated_since` also finds what was published since. */
  readonly updatedAt: Date;
  readonly wordCount: number;
  readonly revision: number;
}

/** What a listing shows to editors. */
export interface ArticleRecord extends ArticleEntry {
  readonly state: ArticleState;
  readonly createdAt: Date;
}

/** A whole article. */
export interface Article extends ArticleRecord, ArticleFacts {}

/** What becomes of an article: nothing, or one revision more. */
export type ArticleOutcome =
  | { readonly outcome: 'unchanged'; readonly article: Article }
  | {
      readonly outcome: 'created' | 'updated';
      readonly before: Article | undefined;
      readonly article: Article;
      readonly transition: Transition;
    };

/** An article that is deleted: what the log keeps of it. */
export interface Removal {
  readonly outcome: 'deleted';
  readonly tags: readonly string[];
  readonly transition: Transition;
}
