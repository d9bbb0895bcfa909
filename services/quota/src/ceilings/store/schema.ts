import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { ceilingNames, maxLimit } from '../../domain/policy.js';
import { ceilingsName } from './ceiling-store.js';

/** The collection of the ceilings that administrators set, one document for each. */
export const ceilingsSchema: CollectionDeclaration = {
  name: ceilingsName,
  validator: {
    $jsonSchema: {
      bsonType: 'object',
      required: ['_id', 'limit', 'actor', 'at', 'reason'],
      additionalProperties: false,
      properties: {
        _id: { enum: [...ceilingNames] },
        limit: { bsonType: ['int', 'long', 'double'], minimum: 0, maximum: maxLimit },
        actor: { bsonType: 'string', minLength: 1 },
        at: { bsonType: 'date' },
        reason: { bsonType: 'string', minLength: 1 },
      },
    },
  },
};
