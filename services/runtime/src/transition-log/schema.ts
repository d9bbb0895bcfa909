import type { CollectionDeclaration, IndexDeclaration } from '../mongodb/index.js';

const text = { bsonType: 'string' };
const date = { bsonType: 'date' };
const count = { bsonType: ['int', 'long', 'double'], minimum: 0 };
const transition = { from: text, to: text, actor: text, at: date, reason: text, revision: count };

/** The schema of the transitions that each document stores about itself. */
export const historySchema = {
  bsonType: 'array',
  minItems: 1,
  items: { bsonType: 'object', required: Object.keys(transition), properties: transition },
};

/** The index that finds documents with unlogged transitions. Those that have waited longest come first. */
export const logIndex: IndexDeclaration = {
  name: 'log',
  key: { logSince: 1 },
  partialFilterExpression: { logSince: { $type: 'date' } },
};

/** The index that finds where the entries since a time begin. Without it a log is read from its first day. */
export const timeIndex: IndexDeclaration = { name: 'time', key: { at: 1 } };

/** Declares the collection that stores a transition log. `optional` adds fields that entries may have. */
export function transitionsSchema(subjects: readonly string[], optional: object): CollectionDeclaration {
  const required = { _id: count, subject: { enum: [...subjects] }, id: text, ...transition };
  const properties = { ...required, person: text, audit: { enum: [true] }, ...optional };
  return {
    name: 'transitions',
    validator: {
      $jsonSchema: { bsonType: 'object', required: Object.keys(required), properties, additionalProperties: false },
    },
    indexes: [{ name: 'subject', key: { id: 1, revision: 1 } }, timeIndex],
  };
}
