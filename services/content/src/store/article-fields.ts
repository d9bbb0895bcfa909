import { sites } from '@knowledge/runtime';
import type { Document } from 'mongodb';
import { type Article, articleStates } from '../domain/article.js';

const text = { bsonType: 'string' };
const time = { bsonType: 'date' };
const whole = { bsonType: ['int', 'long'] };

/** What each field of a stored article may be; they have the names of the domain. */
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

/** The fields that every stored article has. A newer field is never added: an older release beside this one leaves it out. */
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

/** Every newer field, with what it is in an article that was stored without it. */
export const newerFields: Pick<Article, NewerField> = {};

/** A field that a stored article may lack. */
export type NewerField = Exclude<keyof Article, (typeof requiredFields)[number]>;
