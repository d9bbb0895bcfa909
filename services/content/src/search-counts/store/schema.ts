import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';

export const searchCountIndexes = {
  /** The counts whose words are readable. */
  shown: 'shown',
} as const;

const text = { bsonType: 'string' };
const time = { bsonType: 'date' };
const sketch = { bsonType: ['int', 'long'] };

/** The collections of counted searches. No document has a reader. */
export const searchCountsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'search_counts',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['searched', 'expireAt'],
        properties: { _id: text, words: text, searched: sketch, missed: sketch, read: sketch, expireAt: time },
        additionalProperties: false,
      },
    },
    indexes: [
      { name: searchCountIndexes.shown, key: { expireAt: -1 }, partialFilterExpression: { words: { $exists: true } } },
      { name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 },
    ],
  },
  {
    name: 'read_counts',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['site', 'slug', 'reads', 'batches', 'expireAt'],
        properties: {
          _id: text,
          site: text,
          slug: text,
          reads: { bsonType: ['int', 'long', 'double'] },
          expireAt: time,
          batches: { bsonType: 'array', maxItems: 20, items: text },
        },
        additionalProperties: false,
      },
    },
    indexes: [{ name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  },
  {
    name: 'search_salts',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['salt', 'expireAt'],
        properties: { _id: text, salt: { bsonType: 'binData' }, expireAt: time },
        additionalProperties: false,
      },
    },
    indexes: [{ name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  },
];
