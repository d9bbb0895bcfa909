import type { Site } from '@knowledge/runtime';
import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import type { Binary, Db } from 'mongodb';
import type { WeekCount } from '../domain/search-gaps.js';

/** A document in `search_counts`: the readers of one search in one week. */
interface SearchCountDocument extends Omit<WeekCount, 'words'> {
  /** A hash of the words with the salt of the week. It says nothing once the salt is deleted. */
  readonly _id: string;
  /** The words. They are stored only once five different readers have searched for them. */
  readonly words?: string;
  readonly expireAt: Date;
}

/** A document in `search_salts`: the salt of a week, which is deleted when the week ends. */
interface SearchSaltDocument {
  /** The number of the week. */
  readonly _id: string;
  readonly salt: Binary;
  readonly expireAt: Date;
}

/** A document in `read_counts`: the reads of one article on one day. */
export interface ReadCountDocument {
  /** Day, site and slug, for example `2026-06-01/org/rolling-out-sso`. */
  readonly _id: string;
  readonly site: Site;
  readonly slug: string;
  readonly reads: number;
  /** The last batches that were added. */
  readonly batches: readonly string[];
  readonly expireAt: Date;
}

/** The typed collections of a database. */
export type SearchCountCollections = ReturnType<typeof searchCountCollections>;

export function searchCountCollections(db: Db) {
  return {
    reads: db.collection<ReadCountDocument>('read_counts'),
    counts: db.collection<SearchCountDocument>('search_counts'),
    salts: db.collection<SearchSaltDocument>('search_salts'),
  };
}

/** The index of the counts whose words are readable. */
export const shownIndex = 'shown';

const text = { bsonType: 'string' };
const readers = { bsonType: 'array', maxItems: 64, items: { bsonType: ['int', 'long', 'double'] } };

/** The collections of counted searches. No document has a reader. */
export const searchCountsSchema: readonly CollectionDeclaration[] = [
  declare('search_counts', ['searched'], { words: text, searched: readers, missed: readers, read: readers }, [
    { name: shownIndex, key: { expireAt: -1 }, partialFilterExpression: { words: { $exists: true } } },
  ]),
  declare('read_counts', ['site', 'slug', 'reads', 'batches'], {
    site: text,
    slug: text,
    reads: { bsonType: ['int', 'long', 'double'] },
    batches: { bsonType: 'array', maxItems: 20, items: text },
  }),
  declare('search_salts', ['salt'], { salt: { bsonType: 'binData' } }),
];

function declare(
  name: string,
  required: readonly string[],
  properties: object,
  indexes: CollectionDeclaration['indexes'] = [],
): CollectionDeclaration {
  return {
    name,
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: [...required, 'expireAt'],
        properties: { _id: text, ...properties, expireAt: { bsonType: 'date' } },
        additionalProperties: false,
      },
    },
    indexes: [...indexes, { name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  };
}
