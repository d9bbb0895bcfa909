import type { Transition } from '@knowledge/runtime';
import type { Article, ArticleEntry, ArticleRecord } from '../domain/article.js';
import type { ArticleRevision } from '../domain/article-revision.js';
import { articleProperties, laterAddedFields } from './article-fields.js';
import { toTransition } from './change-log.js';
import type { ArticleDocument, ArticleRevisionDocument } from './documents.js';

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

export function toEntry(document: EntryDocument): ArticleEntry {
  return { ...laterAddedFields(document), ...document, publishedAt: document.publishedAt ?? undefined };
}

export function toRecord(document: RecordDocument): ArticleRecord {
  return { ...laterAddedFields(document), ...document, publishedAt: document.publishedAt ?? undefined };
}

export function toArticle({ _id, gloss: _, ...document }: ArticleDocument): Article {
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
  const article = { ...laterAddedFields(facts), ...facts, publishedAt: facts.publishedAt ?? undefined };
  return { article, transition: toTransition(transition), restoredRevision };
}
