import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { usedUpName } from './used-up-days.js';

/** The collection of the limits that were used up, one document a day. */
export const usedUpSchema: CollectionDeclaration = {
  name: usedUpName,
  validator: {
    $jsonSchema: {
      bsonType: 'object',
      required: ['_id', 'subjects', 'expireAt'],
      additionalProperties: false,
      properties: {
        _id: { bsonType: 'string' },
        subjects: { bsonType: 'object', additionalProperties: { bsonType: ['int', 'long', 'double'] } },
        expireAt: { bsonType: 'date' },
      },
    },
  },
  indexes: [{ name: 'expireAt', key: { expireAt: 1 }, expireAfterSeconds: 0 }],
};
