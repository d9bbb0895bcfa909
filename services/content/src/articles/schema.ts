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

/**
 * The fields that every stored article has. Never add a new field here, since an older release may still write without
 * it.
 */
const requiredFields = [
  'site',
  'slug',
  'state',
  'title',
  'summary',
  'tags',
  'author',
  'language',
  'publishedAt',
  'updatedAt',
  'createdAt',
  'wordCount',
  'revision',
  'body',
] as const satisfies readonly (keyof Article)[];

export const articlesSchema: readonly CollectionDeclaration[] = [
  {
    name: 'articles',
    validator: {
      $jsonSchema: objectOf(['_id', ...requiredFields], { _id: text, ...articleProperties, gloss }),
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
      $jsonSchema: objectOf(['article', 'revision', 'state', 'body', 'transition'], {
        _id: text,
        ...articleProperties,
        article: text,
        transition,
        restoredRevision: whole,
      }),
    },
    indexes: [{ name: indexes.revisions, key: { article: 1, revision: 1 } }],
  },
];

/** Every newer field with its default value, for an article that an older release stored without it. */
export function laterAddedFields({ wordCount }: Pick<Article, 'wordCount'>): Pick<Article, LaterAddedField> {
  return { readingTokens: Math.ceil(wordCount * tokensPerWord) };
}

/** A field that a stored article may lack. */
export type LaterAddedField = Exclude<keyof Article, (typeof requiredFields)[number]>;

/** The tokens of a word with the marks around it, on average over the sample content. */
const tokensPerWord = 1.4;
