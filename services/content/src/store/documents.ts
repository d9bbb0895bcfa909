import type { Site } from '@knowledge/runtime';
import type { Collection, Db, Long } from 'mongodb';
import type { Article } from '../domain/article.js';
import type { ChangeSubject } from '../domain/change.js';
import type { ObjectKind, ObjectSource } from '../domain/community-object.js';
import type { NewerField } from './article-fields.js';

/** `articles`: an article as it is now, with the names of the domain. */
export interface ArticleDocument extends Omit<Article, NewerField | 'publishedAt'>, Partial<Pick<Article, NewerField>> {
  /** `site/slug`. */
  readonly _id: string;
  /** Null if there is none, so that indexes can sort it. */
  readonly publishedAt: Date | null;
}

/** A transition inside another document. */
export interface TransitionDocument {
  from: string;
  to: string;
  actor: string;
  at: Date;
  reason: string;
  revision: number;
  /** The request id of a deletion, so that a repeat of the request is recognised. */
  requestId?: string;
}

/** `article_revisions`: every revision of every article, whole. */
export interface ArticleRevisionDocument extends Omit<ArticleDocument, 'createdAt'> {
  /** The `_id` of the article; `_id` is this and the revision. */
  article: string;
  transition: TransitionDocument;
}

/** `highlights`: the editors' choice for a site. */
export interface HighlightsDocument {
  _id: Site;
  choices: { slug: string; note: string }[];
  revision: number;
  updatedAt: Date;
}

/** `objects`: a published object, or what remains of a retracted one. */
export interface ObjectDocument {
  /** A UUID. */
  _id: string;
  site: Site;
  state: 'published' | 'retracted';
  source: ObjectSource;
  revision: number;
  publishedAt: Date | null;
  updatedAt: Date;
  kind?: ObjectKind;
  title?: string;
  summary?: string;
  author?: string;
  language?: string;
  prompt?: { id: string; question: string };
  body?: string;
}

/** `changes`: the log. It is small and has one order, so it stays on one shard. */
export interface ChangeDocument {
  /** The position. */
  _id: Long | number;
  subject: ChangeSubject;
  site: Site;
  key: string;
  tags: string[];
  transition: TransitionDocument;
}

/** `counts`: one document that every change updates, so changes have one order and the counts are exact. */
export interface CountsDocument {
  _id: typeof countsId;
  /** The position of the last change. */
  position: Long | number;
  /** Published articles by site. */
  articles: Partial<Record<Site, number>>;
  /** Published objects by site and kind. */
  objects: Partial<Record<Site, Partial<Record<ObjectKind, number>>>>;
}

/** The `_id` of the only document in `counts`. */
export const countsId = 'content';

/** The collections of the service. */
export interface Collections {
  articles: Collection<ArticleDocument>;
  revisions: Collection<ArticleRevisionDocument>;
  highlights: Collection<HighlightsDocument>;
  objects: Collection<ObjectDocument>;
  changes: Collection<ChangeDocument>;
  counts: Collection<CountsDocument>;
}

/** Names the collections of a database. */
export function collectionsOf(db: Db): Collections {
  return {
    articles: db.collection('articles'),
    revisions: db.collection('article_revisions'),
    highlights: db.collection('highlights'),
    objects: db.collection('objects'),
    changes: db.collection('changes'),
    counts: db.collection('counts'),
  };
}
