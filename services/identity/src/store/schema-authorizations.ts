import { failedMailsIndex } from '@knowledge/runtime/mail';
import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { historySchema, logIndex } from '@knowledge/runtime/transition-log';
import {
  count,
  date,
  exactly,
  hash,
  mailList,
  optionalDate,
  purgeIndex,
  scopeList,
  text,
  uuid,
} from './schema-parts.js';

const code = exactly({ mailId: uuid, attempt: count, hash, goodUntil: date, keySalt: text, keyHash: hash });
const grant = {
  oneOf: [
    { bsonType: 'null' },
    exactly({
      tokenId: uuid,
      tokenHash: hash,
      salt: { bsonType: ['string', 'null'] },
      issuedAt: date,
      redeliverUntil: date,
    }),
  ],
};

/** The collection of authorizations with their codes, mails and history. The shard key is the hashed `_id`. */
export const authorizationsSchema: CollectionDeclaration = {
  name: 'authorizations',
  validator: {
    $jsonSchema: exactly(
      {
        _id: uuid,
        rootAuthorizationId: uuid,
        renews: { oneOf: [{ bsonType: 'null' }, exactly({ tokenId: uuid, agentName: text })] },
        email: text,
        mailbox: text,
        agentName: text,
        scopes: scopeList,
        purpose: text,
        site: { enum: ['io', 'org'] },
        origin: { enum: ['agent', 'support'] },
        state: { enum: ['pending', 'confirmed', 'declined', 'issued', 'expired', 'revoked', 'renewed', 'erased'] },
        createdAt: date,
        expiresAt: date,
        decision: { enum: ['confirm', 'decline', null] },
        decidedAt: optionalDate,
        pickUpUntil: optionalDate,
        userCode: text,
        userCodeHash: { bsonType: ['string', 'null'] },
        userCodeRule: { enum: ['never', 'page', 'always'] },
        wrongUserCodes: count,
        deviceHashes: { bsonType: 'array', items: hash },
        lastPolledAt: optionalDate,
        codes: { bsonType: 'array', items: code },
        grant,
        mails: mailList,
        mailsDueAt: optionalDate,
        timerAt: optionalDate,
        history: historySchema,
        revision: count,
        purgeAt: date,
        logSince: date,
      },
      ['logSince', 'mailbox'],
    ),
  },
  indexes: [
    { name: 'email', key: { email: 1, createdAt: -1, _id: -1 } },
    { name: 'mailbox', key: { mailbox: 1, createdAt: -1 } },
    { name: 'newest', key: { createdAt: -1, _id: -1 } },
    { name: 'state', key: { state: 1, createdAt: -1, _id: -1 } },
    {
      name: 'request',
      key: { 'history.requestId': 1 },
      partialFilterExpression: { 'history.requestId': { $exists: true } },
    },
    { name: 'mails', key: { mailsDueAt: 1 }, partialFilterExpression: { mailsDueAt: { $type: 'date' } } },
    failedMailsIndex,
    { name: 'timer', key: { timerAt: 1 }, partialFilterExpression: { timerAt: { $type: 'date' } } },
    purgeIndex,
    logIndex,
  ],
};
