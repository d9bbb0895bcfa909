import type { Collection, Db } from 'mongodb';
import type { ArticleDocument } from '../../store/documents.js';
import type { ArticleDraft, DraftEnd } from '../domain/article-draft.js';

/** A document in `article_drafts`: the draft of an article, or what is left of the drafts before. */
export interface ArticleDraftDocument {
  /** The `_id` of the article. */
  readonly _id: string;
  readonly site: ArticleDocument['site'];
  readonly slug: string;
  readonly revision: number;
  readonly draft?: StoredDraft;
  /** The time of a scheduled draft. Other documents have no such field, so they are not in the index. */
  readonly publishAt?: Date;
  /** The time that a draft lost. Other documents have no such field, so they are not in the index. */
  readonly missedAt?: Date;
  readonly lastEnd?: DraftEnd;
}

/** The text of a draft. A draft that ended leaves none. */
export interface StoredDraft
  extends Omit<
    ArticleDraft,
    'site' | 'slug' | 'revision' | 'publishedAt' | 'schedule' | 'missed' | 'tags' | 'authors'
  > {
  readonly tags: string[];
  readonly authors: string[];
  readonly publishedAt: Date | null;
  readonly scheduledBy?: string;
  readonly scheduleReason?: string;
  readonly missedReason?: string;
}

export interface ArticleDraftCollections {
  readonly drafts: Collection<ArticleDraftDocument>;
}

/** Returns the typed collection of a database. */
export function articleDraftCollections(db: Db): ArticleDraftCollections {
  return { drafts: db.collection('article_drafts') };
}
