import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { date, exactly, hash, mailList, optionalDate, purgeIndex, text, uuid } from './schema-parts.js';

/** Access keys with the mails that carry them; shard key: hashed `_id`. */
export const accessKeysSchema: CollectionDeclaration = {
  name: 'access_keys',
  validator: {
    $jsonSchema: exactly({
      _id: uuid,
      email: text,
      site: { enum: ['io', 'org'] },
      hashes: { bsonType: 'array', items: hash },
      createdAt: date,
      mails: mailList,
      mailsDueAt: optionalDate,
      purgeAt: date,
    }),
  },
  indexes: [
    { name: 'email', key: { email: 1 } },
    { name: 'mails', key: { mailsDueAt: 1 }, partialFilterExpression: { mailsDueAt: { $type: 'date' } } },
    purgeIndex,
  ],
};

/** Blocks by mailbox; shard key: hashed `_id`. */
export const blocksSchema: CollectionDeclaration = {
  name: 'blocks',
  validator: {
    $jsonSchema: exactly(
      {
        _id: text,
        until: optionalDate,
        actor: text,
        reason: text,
        createdAt: date,
        purgeAt: optionalDate,
        endedBy: text,
      },
      ['endedBy'],
    ),
  },
  indexes: [purgeIndex],
};

/** Requesters by authorization; shard key: hashed `_id`. */
export const requestersSchema: CollectionDeclaration = {
  name: 'askers',
  validator: { $jsonSchema: exactly({ _id: uuid, email: text, address: text, clientId: text, purgeAt: date }) },
  indexes: [{ name: 'email', key: { email: 1 } }, purgeIndex],
};
