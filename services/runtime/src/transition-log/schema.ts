import type { CollectionDeclaration, IndexDeclaration } from '../mongodb/index.js';

const text = { bsonType: 'string' };
const date = { bsonType: 'date' };
const count = { bsonType: ['int', 'long', 'double'], minimum: 0 };
const transition = { from: text, to: text, actor: text, at: date, reason: text, revision: count };

/** The transitions stored inside the document that they changed. */
export const historySchema = {
  bsonType: 'array',
  minItems: 1,
  items: { bsonType: 'object', required: Object.keys(transition), properties: transition },
};

/** Finds documents with unlogged transitions, longest waiting first. */
export const logIndex: IndexDeclaration = {
  name: 'log',
  key: { logSince: 1 },
  partialFilterExpression: { logSince: { $type: 'date' } },
};

/** The collection of the log. `optional` lists additional fields of its entries. */
export function transitionsSchema(subjects: readonly string[], optional: object): CollectionDeclaration {
  const required = { _id: count, subject: { enum: [...subjects] }, id: text, ...transition };
  const properties = { ...required, person: text, audit: { enum: [true] }, ...optional };
  return {
    name: 'transitions',
    validator: {
      $jsonSchema: { bsonType: 'object', required: Object.keys(required), properties, additionalProperties: false },
    },
    indexes: [{ name: 'subject', key: { id: 1, revision: 1 } }],
  };
}
