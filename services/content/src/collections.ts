import type { Db } from 'mongodb';
import { articlesOf } from './articles/documents.js';
import { articlesSchema } from './articles/schema.js';
import { changesOf, changesSchema } from './changes/store.js';
import { highlightsOf, highlightsSchema } from './highlights/store.js';
import { objectsOf, objectsSchema } from './objects/store.js';

/** What the stores of texts share. */
export function collectionsOf(db: Db) {
  return { ...articlesOf(db), ...highlightsOf(db), ...objectsOf(db), ...changesOf(db) };
}

/**
 * Their schemas. Every collection can be sharded: only `_id` is unique, `_id` contains the site and the slug, or a
 * UUID, and every listing begins with the site. Do not shard `changes` and `counts`, which are small.
 */
export const textsSchema = [...articlesSchema, ...highlightsSchema, ...objectsSchema, ...changesSchema];
