import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { boolean, count, date, exactly, hash, text, uuid } from './schema-parts.js';

/** The log of transitions by position; unsharded. */
export const transitionsSchema: CollectionDeclaration = {
  name: 'transitions',
  validator: {
    $jsonSchema: exactly(
      {
        _id: count,
        subject: { enum: ['authorization', 'token', 'person'] },
        id: text,
        person: hash,
        audit: { enum: [true] },
        lineId: uuid,
        from: text,
        to: text,
        actor: text,
        at: date,
        reason: text,
        revision: count,
        withdrawWaiting: boolean,
      },
      ['person', 'audit', 'lineId', 'withdrawWaiting'],
    ),
  },
  indexes: [{ name: 'subject', key: { id: 1, revision: 1 } }],
};
