import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import type { Collection, Db } from 'mongodb';
import type { Synonym } from '../domain/synonym.js';

/** A document in `synonyms`: a group of words, under the id that its editor chose. */
export interface SynonymDocument extends Omit<Synonym, 'id'> {
  readonly _id: string;
}

export function synonymCollection(db: Db): Collection<SynonymDocument> {
  return db.collection('synonyms');
}

const text = { bsonType: 'string' };
const time = { bsonType: 'date' };
const words = { bsonType: 'array', items: text };

/** The collection of the synonyms that editors keep for search. */
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
          revision: { bsonType: ['int', 'long'] },
          createdAt: time,
          updatedAt: time,
          updatedBy: text,
        },
      },
    },
  },
];
