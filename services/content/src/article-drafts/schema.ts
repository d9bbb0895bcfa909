import { sites } from '@knowledge/runtime';
import { type CollectionDeclaration, date, listOf, objectOf, text, whole } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import type { ArticleDocument } from '../articles/documents.js';
import { articleProperties } from '../articles/schema.js';
import type { ArticleDraft, DraftEnd } from './domain.js';

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

export const draftsOf = (db: Db) => db.collection<ArticleDraftDocument>('article_drafts');

/** The name of the index of scheduled drafts, which queries pass as a hint. */
export const dueIndex = 'due';

/** The name of the index of drafts that lost their time. */
export const missedIndex = 'missed';

const { site: _, slug: __, state: ___, revision: ____, ...draftProperties } = articleProperties;

/** The collection of the drafts of articles. It can be sharded as the articles are. */
export const articleDraftsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'article_drafts',
    validator: {
      $jsonSchema: objectOf(
        {
          _id: text,
          site: { enum: [...sites] },
          slug: text,
          revision: whole,
          publishAt: date,
          missedAt: date,
          draft: objectOf(
            {
              ...draftProperties,
              baseRevision: whole,
              authors: listOf(text),
              scheduledBy: text,
              scheduleReason: text,
              missedReason: text,
            },
            ['scheduledBy', 'scheduleReason', 'missedReason'],
          ),
          lastEnd: objectOf({ to: { enum: ['published', 'discarded'] }, actor: text, requestId: text }),
        },
        ['publishAt', 'missedAt', 'draft', 'lastEnd'],
      ),
    },
    indexes: [
      {
        name: dueIndex,
        key: { site: 1, publishAt: 1 },
        partialFilterExpression: { publishAt: { $exists: true } },
      },
      {
        name: missedIndex,
        key: { site: 1, missedAt: 1 },
        partialFilterExpression: { missedAt: { $exists: true } },
      },
    ],
  },
];
