import { failedMailsIndex } from '@knowledge/runtime/mail';
import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { date, exactly, hash, mailList, optionalDate, purgeIndex, text, uuid } from './schema-parts.js';

/** The collection of access keys, with the mails that contain them. The shard key is the hashed `_id`. */
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
    failedMailsIndex,
    purgeIndex,
  ],
};

/** The collection of blocks, by mailbox. The shard key is the hashed `_id`. */
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
        link: exactly({ at: date, keyId: uuid }),
        noLinks: { enum: [true] },
      },
      ['endedBy', 'link', 'noLinks'],
    ),
  },
  indexes: [purgeIndex],
};

/** The collection of requesters, by authorization. The shard key is the hashed `_id`. */
export const requestersSchema: CollectionDeclaration = {
  name: 'requesters',
  validator: { $jsonSchema: exactly({ _id: uuid, email: text, address: text, clientId: text, purgeAt: date }) },
  indexes: [{ name: 'email', key: { email: 1 } }, purgeIndex],
};
