import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { historySchema, logIndex } from '@knowledge/runtime/transition-log';
import { date, exactly, hash, optionalDate, purgeIndex, text, uuid } from '../../store/schema-parts.js';

const role = { enum: ['reader', 'support', 'moderator', 'editor', 'administrator'] };
const roles = { bsonType: 'array', minItems: 1, uniqueItems: true, items: role };

/** The collections of staff members. The shard key of each is the hashed `_id`. */
export const staffSchema: readonly CollectionDeclaration[] = [
  {
    // By the hash of the secret.
    name: 'staff_sessions',
    validator: {
      $jsonSchema: exactly(
        {
          _id: hash,
          id: uuid,
          name: text,
          displayName: text,
          email: text,
          roles,
          createdAt: date,
          expiresAt: date,
          lastSeenAt: date,
          endedAt: optionalDate,
          history: historySchema,
          purgeAt: date,
          logSince: date,
        },
        ['logSince'],
      ),
    },
    indexes: [{ name: 'id', key: { id: 1 } }, { name: 'newest', key: { createdAt: -1, id: -1 } }, purgeIndex, logIndex],
  },
  {
    // By the hash of the code.
    name: 'sign_in_codes',
    validator: {
      $jsonSchema: exactly({ _id: hash, name: text, roles, madeBy: text, usedFor: text, purgeAt: date }, ['usedFor']),
    },
    indexes: [purgeIndex],
  },
  {
    // By name.
    name: 'staff_members',
    validator: {
      $jsonSchema: exactly({ _id: text, displayName: text, email: text, roles, lastSignedInAt: date, purgeAt: date }),
    },
    indexes: [purgeIndex],
  },
];
