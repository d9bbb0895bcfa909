import type { Transition } from '@knowledge/runtime';
import type { Article, ArticleEntry, ArticleOutcome } from '../../domain/article.js';
import type { ArticleFacts } from '../../domain/article-facts.js';

/** The draft of the next revision of an article. */
export interface ArticleDraft extends ArticleFacts, Pick<ArticleEntry, 'wordCount' | 'readingTokens' | 'updatedAt'> {
  /** The revision of the draft itself. It goes on with the next draft of the article, so that no two drafts share one. */
  readonly revision: number;
  /** The revision of the article on which the draft is based. */
  readonly baseRevision: number;
  /** Who put the draft, each once; the last one last. */
  readonly authors: readonly string[];
  readonly createdAt: Date;
  readonly schedule: DraftSchedule | undefined;
  /** The time that the draft lost, until somebody changes it. */
  readonly missed?: DraftMissed | undefined;
}

/** The time at which readers get a draft, and who decided it. */
export interface DraftSchedule {
  readonly at: Date;
  readonly actor: string;
  readonly reason: string;
}

/** The time at which readers were to get a draft, and why they do not. */
export interface DraftMissed {
  readonly at: Date;
  readonly reason: string;
}

/** What listings say about a draft. */
export type DraftNotice = Pick<
  ArticleDraft,
  'revision' | 'baseRevision' | 'authors' | 'updatedAt' | 'schedule' | 'missed'
>;

/** How a draft ended. It lets the service recognise a repeated request. */
export interface DraftEnd {
  readonly to: 'published' | 'discarded';
  readonly actor: string;
  readonly requestId: string;
}

/** An article with its draft, and what is left of the drafts before. */
export interface DraftState {
  readonly article: Article | undefined;
  readonly draft: ArticleDraft | undefined;
  /** The revision of this draft or of the last one that ended; 0 if there was none. */
  readonly revision: number;
  readonly lastEnd: DraftEnd | undefined;
}

/** What becomes of a draft. */
export type DraftDecision = DraftKept | DraftEnded;

/** A draft that stays, as it is or with a new revision. */
export type DraftKept = { readonly outcome: 'unchanged'; readonly draft: ArticleDraft } | DraftRevised;

export interface DraftRevised {
  readonly outcome: 'created' | 'updated';
  readonly draft: ArticleDraft;
  readonly transition: Transition;
}

/** A draft that is gone. It is `repeated` if the same request ended it before. */
export type DraftEnded =
  | { readonly outcome: 'repeated' }
  | {
      readonly outcome: 'ended';
      readonly transition: Transition;
      /** The change of the article, if the draft is published. */
      readonly published?: ArticleOutcome;
    };
