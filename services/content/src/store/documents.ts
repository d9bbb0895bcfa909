import type { Site, Transition } from '@knowledge/runtime';
import type { Collection, Db, Long } from 'mongodb';
import type { Article, ArticleEntry, ArticleRecord } from '../domain/article.js';
import type { ArticleRevision } from '../domain/article-revisions.js';
import type { ChangeSubject } from '../domain/change-log.js';
import type { ObjectKind, ObjectSource, PublishedObject, Tombstone } from '../domain/community-object.js';
import type { GlossRecord } from '../domain/search-words.js';
import { articleProperties, type LaterAddedField, laterAddedFields } from './schema.js';

/** A document in `articles`: the current state of an article, with the field names of the domain. */
export interface ArticleDocument
  extends Omit<Article, LaterAddedField | 'publishedAt'>,
    Partial<Pick<Article, LaterAddedField>> {
  /** The site and the slug as `site/slug`. */
  readonly _id: string;
  /** Null for an article without a time of publication, so that every article has the field in the indexes. */
  readonly publishedAt: Date | null;
  readonly gloss?: GlossRecord;
}

/** A transition that is stored inside another document. */
interface TransitionDocument {
  from: string;
  to: string;
  actor: string;
  at: Date;
  reason: string;
  revision: number;
  /** The request id of a deletion. It lets the service recognise a repeated request. */
  requestId?: string;
}

/** A document in `article_revisions`: one revision of an article with all fields. */
export interface ArticleRevisionDocument extends Omit<ArticleDocument, 'createdAt' | 'gloss'> {
  /** The `_id` of the article. The document's own `_id` also contains the revision. */
  article: string;
  transition: TransitionDocument;
  /** The revision whose text this one put back. Other revisions have no such field. */
  restoredRevision?: number;
}

/** A document in `highlights`: the highlights that the editors chose for a site. */
export interface HighlightsDocument {
  _id: Site;
  choices: { slug: string; note: string }[];
  revision: number;
  updatedAt: Date;
}

/** A document in `objects`: a published object, or the record of a retracted one. */
export interface ObjectDocument extends Partial<Omit<PublishedObject, keyof Tombstone>> {
  /** A UUID. */
  _id: string;
  site: Site;
  state: 'published' | 'retracted';
  source: ObjectSource;
  revision: number;
  publishedAt: Date | null;
  updatedAt: Date;
  gloss?: GlossRecord;
}

/** A document in `changes`, the log. The log is not sharded, since it is small and needs one order. */
export interface ChangeDocument {
  /** The position of the change. */
  _id: Long | number;
  subject: ChangeSubject;
  /** The site; synonyms have none. */
  site?: Site;
  key: string;
  tags: string[];
  transition: TransitionDocument;
}

/** The only document in `counts`. Every change updates it, so changes have one order and the counts are exact. */
interface CountsDocument {
  _id: typeof countsId;
  /** The position of the last change. */
  position: Long | number;
  /** The number of published articles by site. */
  articles: Partial<Record<Site, number>>;
  /** The number of published objects by site and kind. */
  objects: Partial<Record<Site, Partial<Record<ObjectKind, number>>>>;
}

/** The `_id` of the only document in `counts`. */
export const countsId = 'content';

/** All collections of the content database. */
export interface Collections {
  articles: Collection<ArticleDocument>;
  revisions: Collection<ArticleRevisionDocument>;
  highlights: Collection<HighlightsDocument>;
  objects: Collection<ObjectDocument>;
  changes: Collection<ChangeDocument>;
  counts: Collection<CountsDocument>;
}

/** Returns the typed collections of a database. */
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

/** Copies the fields of a stored transition that the domain uses. */
export function toTransition({ from, to, actor, at, reason, revision }: TransitionDocument) {
  return { from, to, actor, at, reason, revision };
}

/** The `_id` of an article, which also decides its shard. */
export function articleId({ site, slug }: Pick<Article, 'site' | 'slug'>): string {
  return `${site}/${slug}`;
}

/** The stored fields of an article in a listing for editors. */
export type RecordDocument = Omit<ArticleDocument, '_id' | 'body' | 'gloss'>;

/** The stored fields of an article in a listing for readers. */
export type EntryDocument = Omit<RecordDocument, 'state' | 'createdAt'>;

/** The fields that a listing for editors reads: all except the body. */
export const recordProjection = projectAllBut('body');

/** The fields that a listing for readers reads. */
export const entryProjection = projectAllBut('body', 'state', 'createdAt');

function projectAllBut(...left: (keyof Article)[]): Readonly<Record<string, 0 | 1>> {
  const names = Object.keys(articleProperties) as (keyof Article)[];
  return { _id: 0, ...Object.fromEntries(names.filter((name) => !left.includes(name)).map((name) => [name, 1])) };
}

export const toEntry: (document: EntryDocument) => ArticleEntry = completed;
export const toRecord: (document: RecordDocument) => ArticleRecord = completed;

export function toArticle({ _id, gloss: _, ...document }: ArticleDocument): Article {
  return completed(document);
}

/** Adds the fields that an older release did not store. */
function completed<Stored extends Pick<ArticleDocument, 'wordCount' | 'publishedAt'>>(document: Stored) {
  return { ...laterAddedFields(document), ...document, publishedAt: document.publishedAt ?? undefined };
}

/** Puts the body last, so that MongoDB finds all other fields before it. */
export function fromArticle({ body, ...article }: Article): ArticleDocument {
  return { _id: articleId(article), ...article, publishedAt: article.publishedAt ?? null, body };
}

/** Makes the copy of an article at this revision, which never changes. */
export function fromRevision(
  article: Article,
  transition: Transition,
  restoredRevision: number | undefined,
): ArticleRevisionDocument {
  const { _id, createdAt: _, body, ...rest } = fromArticle(article);
  const restored = restoredRevision === undefined ? {} : { restoredRevision };
  return { _id: `${_id}/${article.revision}`, article: _id, ...rest, transition: { ...transition }, ...restored, body };
}

export function toRevision(document: ArticleRevisionDocument): ArticleRevision {
  const { _id, article: __, transition, restoredRevision, ...facts } = document;
  return { article: completed(facts), transition: toTransition(transition), restoredRevision };
}
