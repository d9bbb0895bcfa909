import { sites } from '@knowledge/runtime';
import type { Document } from 'mongodb';
import { type Article, articleStates } from '../domain/article.js';

const text = { bsonType: 'string' };
const time = { bsonType: 'date' };
const whole = { bsonType: ['int', 'long'] };

/** The BSON type of each stored field of an article. The field names are those of the domain. */
export const articleProperties: Readonly<Record<keyof Article, Document>> = {
  site: { enum: [...sites] },
  slug: text,
  state: { enum: [...articleStates] },
  title: text,
  summary: text,
  tags: { bsonType: 'array', items: text },
  author: text,
  language: text,
  publishedAt: { bsonType: ['date', 'null'] },
  updatedAt: time,
  createdAt: time,
  wordCount: whole,
  readingTokens: whole,
  revision: whole,
  body: text,
};

/**
 * The fields that every stored article has. Never add a new field here, since an older release may still write without
 * it.
 */
export const requiredFields = [
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

/** Every newer field with its default value, for an article that an older release stored without it. */
export function laterAddedFields({ wordCount }: Pick<Article, 'wordCount'>): Pick<Article, LaterAddedField> {
  return { readingTokens: Math.ceil(wordCount * tokensPerWord) };
}

/** A field that a stored article may lack. */
export type LaterAddedField = Exclude<keyof Article, (typeof requiredFields)[number]>;

/** The tokens of a word with the marks around it, on average over the sample content. */
const tokensPerWord = 1.4;
