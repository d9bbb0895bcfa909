import type { Site, Transition } from '@knowledge/runtime';
import type { Abortable, Db } from 'mongodb';
import type { TransitionDocument } from '../base/documents.js';
import type { GlossRecord } from '../base/search-words.js';
import type { Article, ArticleEntry, ArticleRecord } from './domain.js';
import type { ArticleRevision } from './revisions.js';
import { addedLater, articleProperties } from './schema.js';

/** A document in `articles`: the current state of an article, with the field names of the domain. */
export interface ArticleDocument
  extends Omit<Article, keyof typeof addedLater | 'publishedAt'>,
    Partial<Pick<Article, keyof typeof addedLater>> {
  /** The site and the slug as `site/slug`. */
  readonly _id: string;
  /** Null for an article without a time of publication, so that every article has the field in the indexes. */
  readonly publishedAt: Date | null;
  readonly gloss?: GlossRecord;
}

/** A document in `article_revisions`: one revision of an article with all fields. */
export interface ArticleRevisionDocument extends Omit<ArticleDocument, 'createdAt' | 'gloss'> {
  /** The `_id` of the article. The document's own `_id` also contains the revision. */
  article: string;
  transition: TransitionDocument;
  /** The revision whose text this one put back. Other revisions have no such field. */
  restoredRevision?: number;
}

export type ArticleCollections = ReturnType<typeof articlesOf>;

export function articlesOf(db: Db) {
  return {
    articles: db.collection<ArticleDocument>('articles'),
    revisions: db.collection<ArticleRevisionDocument>('article_revisions'),
  };
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

/** Reads those articles of a site with these slugs that are published, without bodies, by slug. */
export async function publishedEntries(
  { articles }: Pick<ArticleCollections, 'articles'>,
  site: Site,
  slugs: readonly string[],
  options: Abortable,
): Promise<ReadonlyMap<string, ArticleEntry>> {
  const filter = { _id: { $in: slugs.map((slug) => articleId({ site, slug })) }, state: 'published' } as const;
  const found = articles.find<EntryDocument>(filter, { ...options, projection: entryProjection });
  return new Map((await found.toArray()).map((each) => [each.slug, toEntry(each)]));
}

export const toEntry: (document: EntryDocument) => ArticleEntry = completed;
export const toRecord: (document: RecordDocument) => ArticleRecord = completed;

export function toArticle({ _id, gloss: _, ...document }: ArticleDocument): Article {
  return completed(document);
}

function completed<Stored extends Pick<ArticleDocument, 'publishedAt'>>(document: Stored) {
  return { ...addedLater, ...document, publishedAt: document.publishedAt ?? undefined };
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
  return { article: completed(facts), transition, restoredRevision };
}
