import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';

const text = { bsonType: 'string' };
const date = { bsonType: 'date' };
const note = { _id: text, contributionId: text, author: text, at: date, text };
const presence = { _id: text, open: { bsonType: 'array', maxItems: 20 }, deleteAt: date };

/** The collections of notes and of who has a contribution open. */
export const teamworkSchema: readonly CollectionDeclaration[] = [
  {
    name: 'notes',
    validator: { $jsonSchema: { bsonType: 'object', required: Object.keys(note), properties: note } },
    indexes: [{ name: 'contribution', key: { contributionId: 1, at: 1 } }],
  },
  {
    name: 'presence',
    validator: { $jsonSchema: { bsonType: 'object', required: Object.keys(presence), properties: presence } },
    indexes: [{ name: 'cleanup', key: { deleteAt: 1 }, expireAfterSeconds: 0 }],
  },
];
