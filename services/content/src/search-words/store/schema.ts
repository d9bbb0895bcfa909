import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';

const text = { bsonType: 'string' };
const time = { bsonType: 'date' };
const whole = { bsonType: ['int', 'long'] };
const words = { bsonType: 'array', items: text };

/** The collections of the words that editors keep for search. */
export const searchWordsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'synonyms',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['words', 'from', 'revision', 'createdAt', 'updatedAt', 'updatedBy'],
        properties: {
          _id: text,
          words,
          from: words,
          revision: whole,
          createdAt: time,
          updatedAt: time,
          updatedBy: text,
        },
      },
    },
  },
  {
    name: 'glosses',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['title', 'summary', 'writtenForRevision', 'updatedAt', 'updatedBy'],
        properties: {
          _id: text,
          title: text,
          summary: text,
          writtenForRevision: whole,
          updatedAt: time,
          updatedBy: text,
        },
      },
    },
  },
];
