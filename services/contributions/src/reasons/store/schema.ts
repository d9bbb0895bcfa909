import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { historySchema, logIndex } from '@knowledge/runtime/transition-log';

const text = { bsonType: 'string' };
const count = { bsonType: ['int', 'long', 'double'], minimum: 0 };
const reason = {
  _id: text,
  words: text,
  decisions: { bsonType: 'array', items: text },
  order: count,
  deleted: { bsonType: 'bool' },
  revision: count,
  history: historySchema,
};

/** The collection of canned reasons. */
export const reasonsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'canned_reasons',
    validator: { $jsonSchema: { bsonType: 'object', required: Object.keys(reason), properties: reason } },
    indexes: [logIndex],
  },
];
