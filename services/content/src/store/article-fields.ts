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

/** Every newer field with its default value, for articles that older releases stored without it. */
export const laterAddedFields: Pick<Article, LaterAddedField> = {};

/** A field that a stored article may lack. */
export type LaterAddedField = Exclude<keyof Article, (typeof requiredFields)[number]>;
