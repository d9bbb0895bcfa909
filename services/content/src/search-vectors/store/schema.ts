import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';

export const textVectorIndexes = {
  /** What was written last, by which replicas find new vectors. */
  written: 'written',
} as const;

const text = { bsonType: 'string' };
const time = { bsonType: 'date' };
const whole = { bsonType: ['int', 'long'] };

/** Vectors have no data of their own: every document can be computed again from its text. */
export const textVectorsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'text_vectors',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['model', 'dimensions', 'hash', 'position', 'heads', 'vectors', 'writtenAt'],
        properties: {
          ...{ _id: text, model: text, dimensions: whole, hash: text, position: whole, heads: whole },
          ...{ vectors: { bsonType: 'binData' }, writtenAt: time },
        },
      },
    },
    indexes: [{ name: textVectorIndexes.written, key: { writtenAt: 1, model: 1, _id: 1 } }],
  },
  {
    name: 'text_vector_leases',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['holder', 'until'],
        properties: { _id: text, holder: text, until: time },
      },
    },
  },
];
