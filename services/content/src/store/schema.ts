import { sites } from '@knowledge/runtime';
import {
  type CollectionDeclaration,
  date,
  dateOrNull,
  listOf,
  objectOf,
  text,
  whole,
} from '@knowledge/runtime/mongodb';
import { logSubjects } from '@knowledge/runtime/product';
import type { Document } from 'mongodb';
import { type Article, articleStates } from '../domain/article.js';
import { objectKinds, type PublishedObject } from '../domain/community-object.js';

/**
 * The names of the indexes. Queries pass them as hints, so that the server always uses the intended plan.
 *
 * Every collection can be sharded: only `_id` is unique, `_id` contains the site and the slug, or a UUID, and every
 * listing begins with the site. Do not shard `changes` and `counts`, which are small.
 */
export const indexes = {
  /** The listing of a site. It also contains `updatedAt`, for the filter `updated_since`. */
  listing: 'listing',
  /** The listing of a tag. Related articles use it too. */
  tagged: 'tagged',
  /** Deletions in the log, which let the service recognise a repeated request. */
  deletions: 'deletions',
  /** The same listing, sorted by the time of the last update, for `updated_since`. */
  updated: 'updated',
  /** The listing for editors. The last changed article comes first. */
  records: 'records',
  /** The catalog of a site. */
  catalog: 'catalog',
  /** The catalog of a site and kind. */
  kinds: 'kinds',
  /** The revisions of an article. */
  revisions: 'revisions',
} as const;

const site = { enum: [...sites] };

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

/** The BSON type of each stored field of an object beside its id and state. */
export const objectProperties: Readonly<Record<Exclude<keyof PublishedObject, 'id' | 'state'>, Document>> = {
  site,
  source: { enum: ['contribution', 'editorial'] },
  revision: whole,
  publishedAt: dateOrNull,
  updatedAt: date,
  kind: { enum: [...objectKinds] },
  title: text,
  summary: text,
  author: text,
  language: text,
  readingTokens: whole,
  editedAt: date,
  prompt: objectOf(['id', 'question'], { id: text, question: text }),
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

const transition = objectOf(['from', 'to', 'actor', 'at', 'reason', 'revision'], {
  from: text,
  to: text,
  actor: text,
  at: date,
  reason: text,
  revision: whole,
  requestId: text,
});

/** The English gloss of a text. */
const gloss = objectOf(['title', 'summary', 'writtenForRevision', 'updatedAt', 'updatedBy'], {
  title: text,
  summary: text,
  writtenForRevision: whole,
  updatedAt: date,
  updatedBy: text,
});

/** The collections, validators and indexes of the database. */
export const schema: readonly CollectionDeclaration[] = [
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
  {
    name: 'highlights',
    validator: {
      $jsonSchema: objectOf(['choices', 'revision', 'updatedAt'], {
        _id: site,
        choices: {
          bsonType: 'array',
          items: objectOf(['slug', 'note'], { slug: text, note: text }),
        },
        revision: whole,
        updatedAt: date,
      }),
    },
  },
  {
    name: 'objects',
    validator: {
      $jsonSchema: objectOf(['site', 'state', 'source', 'revision', 'updatedAt', 'publishedAt'], {
        _id: text,
        ...objectProperties,
        state: { enum: ['published', 'retracted'] },
        gloss,
      }),
    },
    indexes: [
      { name: indexes.catalog, key: { site: 1, state: 1, publishedAt: -1, _id: 1 } },
      { name: indexes.kinds, key: { site: 1, state: 1, kind: 1, publishedAt: -1, _id: 1 } },
    ],
  },
  {
    name: 'changes',
    validator: {
      // Synonyms have no site.
      $jsonSchema: objectOf(['subject', 'key', 'tags', 'transition'], {
        _id: whole,
        subject: { enum: [...logSubjects.content] },
        site,
        key: text,
        tags: listOf(text),
        transition,
      }),
    },
    indexes: [
      {
        name: indexes.deletions,
        key: { site: 1, key: 1 },
        partialFilterExpression: { 'transition.to': 'deleted' },
      },
      { name: 'time', key: { 'transition.at': 1 } },
    ],
  },
  {
    name: 'counts',
    validator: { $jsonSchema: objectOf(['position'], { position: whole }) },
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
