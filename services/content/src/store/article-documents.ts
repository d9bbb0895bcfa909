import type { Transition } from '@knowledge/runtime';
import type { Article, ArticleEntry, ArticleRecord } from '../domain/article.js';
import type { ArticleDocument, ArticleRevisionDocument } from './documents.js';

/** The `_id` of an article: also its place on a shard. */
export function articleId({ site, slug }: Pick<Article, 'site' | 'slug'>): string {
  return `${site}/${slug}`;
}

/** What is read of an article for a listing: everything that an `EntryDocument` has, so never the body. */
export const entryProjection = {
  ...{ _id: 0, site: 1, slug: 1, title: 1, summary: 1, tags: 1, author: 1, language: 1 },
  ...{ published_at: 1, updated_at: 1, word_count: 1, revision: 1 },
} as const;

/** An article as a listing reads it. */
export type EntryDocument = Omit<ArticleDocument, '_id' | 'state' | 'created_at' | 'body'>;

/** What is read for a listing of editors. */
export const recordProjection = { ...entryProjection, state: 1, created_at: 1 } as const;

/** An article as a listing of editors reads it. */
export type RecordDocument = Omit<ArticleDocument, '_id' | 'body'>;

export function toEntry(document: EntryDocument): ArticleEntry {
  const { site, slug, title, summary, tags, author, language, revision } = document;
  return {
    ...{ site, slug, title, summary, tags, author, language, revision },
    publishedAt: document.published_at ?? undefined,
    updatedAt: document.updated_at,
    wordCount: document.word_count,
  };
}

export function toRecord(document: RecordDocument): ArticleRecord {
  return { ...toEntry(document), state: document.state, createdAt: document.created_at };
}

export function toArticle(document: ArticleDocument): Article {
  return { ...toRecord(document), body: document.body };
}

/** The body comes last, so that the other fields are read without passing over it. */
export function fromArticle(article: Article): ArticleDocument {
  const { site, slug, state, title, summary, tags, author, language, revision, body } = article;
  return {
    _id: articleId(article),
    ...{ site, slug, state, title, summary, tags: [...tags], author, language },
    published_at: article.publishedAt ?? null,
    updated_at: article.updatedAt,
    created_at: article.createdAt,
    word_count: article.wordCount,
    ...{ revision, body },
  };
}

/** The article as this revision left it, to be kept for ever. */
export function fromRevision(article: Article, transition: Transition): ArticleRevisionDocument {
  const { _id, created_at: _, body, ...rest } = fromArticle(article);
  return { _id: `${_id}/${article.revision}`, article: _id, ...rest, transition: { ...transition }, body };
}
