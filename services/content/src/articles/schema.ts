import {
  type CollectionDeclaration,
  date,
  dateOrNull,
  listOf,
  objectOf,
  text,
  whole,
} from '@knowledge/runtime/mongodb';
import type { Document } from 'mongodb';
import { gloss, site, transition } from '../base/documents.js';
import { type Article, articleStates } from './domain.js';

/** The names of the indexes. Queries pass them as hints, so that the server always uses the intended plan. */
export const indexes = {
  /** The listing of a site. It also contains `updatedAt`, for the filter `updated_since`. */
  listing: 'listing',
  /** The listing of a tag. Related articles use it too. */
  tagged: 'tagged',
  /** The same listing, sorted by the time of the last update, for `updated_since`. */
  updated: 'updated',
  /** The listing for editors. The last changed article comes first. */
  records: 'records',
  /** The revisions of an article. */
  revisions: 'revisions',
} as const;

/** The BSON type of each stored field of an article. The field names are those of the domain. */
export const articleProperties: Readonly<Record<keyof Article, Document>> = {
  site,
  slug: text,
  state: { enum: [...articleStates] },
  title: text,
  summary: text,
  tags: listOf(text),
  author: text,
  language: text,
  publishedAt: dateOrNull,
  updatedAt: date,
  createdAt: date,
  wordCount: whole,
  readingTokens: whole,
  revision: whole,
  body: text,
};

/** Each field that came after the first release, with its default for an article that was stored without it. */
export const addedLater = {} satisfies Partial<Article>;

const { createdAt: _, ...revisionProperties } = articleProperties;

export const articlesSchema: readonly CollectionDeclaration[] = [
  {
    name: 'articles',
    validator: {
      $jsonSchema: objectOf({ _id: text, ...articleProperties, gloss }, ['gloss', ...Object.keys(addedLater)]),
    },
    indexes: [
      { name: indexes.listing, key: { site: 1, state: 1, publishedAt: -1, slug: 1, updatedAt: 1 } },
      { name: indexes.tagged, key: { site: 1, state: 1, tags: 1, publishedAt: -1, slug: 1, updatedAt: 1 } },
      { name: indexes.updated, key: { site: 1, state: 1, updatedAt: 1, publishedAt: -1, slug: 1 } },
      { name: indexes.records, key: { site: 1, state: 1, updatedAt: -1, _id: 1 } },
    ],
  },
  {
    name: 'article_revisions',
    validator: {
      $jsonSchema: objectOf({ _id: text, ...revisionProperties, article: text, transition, restoredRevision: whole }, [
        'restoredRevision',
        ...Object.keys(addedLater),
      ]),
    },
    indexes: [{ name: indexes.revisions, key: { article: 1, revision: 1 } }],
  },
];
