import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { timeIndex } from '@knowledge/runtime/transition-log';
import { ceilingsSchema } from '../ceilings/store/ceiling-store.js';
import { maxIds } from '../domain/counter.js';
import { usedUpSchema } from '../used-up/store/used-up-days.js';
import { countersName } from './documents.js';
import { subjectActsName } from './subject-log.js';

const leaseProperties = {
  turn: { bsonType: ['int', 'long', 'double'], minimum: 1 },
  units: {
    bsonType: 'array',
    maxItems: 1024,
    items: {
      bsonType: 'object',
      required: ['id', 'keys'],
      additionalProperties: false,
      properties: {
        id: { bsonType: 'string' },
        keys: { bsonType: 'array', items: { bsonType: 'string' } },
      },
    },
  },
  open: { bsonType: 'bool' },
};

/** All collections of the database with their validators and indexes. */
export const schema: readonly CollectionDeclaration[] = [
  {
    name: countersName,
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['_id', 'expiresAt'],
        // A counter, or a lease.
        anyOf: [{ required: ['window', 'grants'] }, { required: ['turn'] }],
        additionalProperties: false,
        properties: {
          _id: { bsonType: 'string' },
          window: { bsonType: 'date' },
          grants: { bsonType: 'array', maxItems: maxIds, items: { bsonType: 'string' } },
          count: { bsonType: 'int', minimum: 1 },
          ...leaseProperties,
          expiresAt: { bsonType: 'date' },
        },
      },
    },
    indexes: [
      { name: 'open', key: { open: 1 }, sparse: true },
      // This index only deletes old documents. The stored window decides what is counted (SECURITY.md#counting).
      { name: 'expiresAt', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
    ],
  },
  {
    name: subjectActsName,
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['_id', 'subject', 'id', 'to', 'actor', 'at', 'reason'],
        additionalProperties: false,
        properties: {
          _id: { bsonType: ['int', 'long', 'double'], minimum: 1 },
          subject: { enum: ['email', 'client_id', 'address', 'mail_domain', 'service', 'ceiling'] },
          id: { bsonType: 'string' },
          person: { bsonType: 'string' },
          to: { enum: ['viewed', 'reset', 'set'] },
          before: { bsonType: ['int', 'long', 'double'] },
          limit: { bsonType: ['int', 'long', 'double'] },
          actor: { bsonType: 'string', minLength: 1 },
          at: { bsonType: 'date' },
          reason: { bsonType: 'string' },
        },
      },
    },
    indexes: [timeIndex],
  },
  usedUpSchema,
  ceilingsSchema,
  {
    // Processes of the release before this one keep their leases here.
    name: 'leases',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['_id', 'turn', 'expiresAt'],
        additionalProperties: false,
        properties: {
          _id: { bsonType: 'string' },
          ...leaseProperties,
          expiresAt: { bsonType: 'date' },
        },
      },
    },
    indexes: [
      { name: 'open', key: { open: 1 }, sparse: true },
      { name: 'expiresAt', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
    ],
  },
];
