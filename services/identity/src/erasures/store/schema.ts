import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { boolean, date, exactly, hash, optionalDate, purgeIndex, text, uuid } from '../../store/schema-parts.js';

/** The collection of requests to erase a person. The shard key is the hashed `_id`. */
export const erasuresSchema: CollectionDeclaration = {
  name: 'erasures',
  validator: {
    $jsonSchema: exactly({
      _id: uuid,
      state: { enum: ['waiting', 'confirmed', 'done', 'cancelled'] },
      email: text,
      person: hash,
      withWork: boolean,
      reason: text,
      askedBy: text,
      askedAt: date,
      lapsesAt: date,
      decidedBy: text,
      decidedAt: optionalDate,
      erasedHere: boolean,
      purgeAt: optionalDate,
    }),
  },
  indexes: [
    { name: 'asked', key: { askedAt: 1, _id: 1 } },
    { name: 'person', key: { person: 1, askedAt: 1, _id: 1 } },
    purgeIndex,
  ],
};
