import { mailboxOf, sites } from '@knowledge/runtime';
import { failedMailsIndex } from '@knowledge/runtime/mail';
import {
  boolean,
  type CollectionDeclaration,
  count,
  date,
  dateOrNull,
  endIndex,
  exactly,
  listOf,
  requestIndex,
  text,
  timesIndex,
} from '@knowledge/runtime/mongodb';
import { logSubjects, scopes } from '@knowledge/runtime/product';
import { historySchema, logIndex, transitionsSchema } from '@knowledge/runtime/transition-log';
import type { Db, Document } from 'mongodb';
import {
  type Authorization,
  type AuthorizationChange,
  authorizationStates,
  userCodeRules,
} from '../domain/authorization.js';
import { type Token, type TokenEnd, type Transition, tokenStates } from '../domain/token.js';

interface WithLogMark {
  /** Set while the transition log may lack transitions of this document; the value is the time of the oldest one. */
  logSince?: Date;
}

export type AuthorizationDocument = Omit<Authorization, 'id'> &
  WithLogMark & {
    _id: string;
    /** The mailbox of the e-mail. */
    mailbox: string;
  };

/** A stored token. Its `_id` is the hash, because the service looks up tokens by their hash. */
type TokenDocument = Omit<Token, 'hash'> & WithLogMark & { _id: string };

export const authorizationsOf = (db: Db) => db.collection<AuthorizationDocument>('authorizations');
export const tokensOf = (db: Db) => db.collection<TokenDocument>('tokens');

/** Makes a new database document. `logSince` marks that the transition log lacks its first transition. */
export function authorizationDocument({ id, ...rest }: Authorization): AuthorizationDocument {
  return { _id: id, ...rest, mailbox: mailboxOf(rest.email), logSince: rest.createdAt };
}

/** Makes a new database document. `logSince` marks that the transition log lacks its first transition. */
export function tokenDocument({ hash, ...rest }: Token): TokenDocument {
  return { _id: hash, ...rest, logSince: rest.createdAt };
}

export function toAuthorization(document: AuthorizationDocument): Authorization {
  const { _id, logSince: _since, mailbox: _mailbox, ...rest } = document;
  return { id: _id, ...rest };
}

export function toToken({ _id, logSince: _, ...rest }: TokenDocument): Token {
  return { hash: _id, ...rest };
}

/** Makes the MongoDB update for a change. It also marks the transition for the log and the mail for the outbox. */
export function changeUpdate(
  before: Authorization,
  { set, transition, mail }: AuthorizationChange,
  request: Pick<Transition, 'requestId'> = {},
): Document {
  return {
    $set: {
      ...set,
      revision: before.revision + 1,
      ...(transition && { logSince: transition.at }),
      ...(mail && { mailsDueAt: mail.dueAt }),
    },
    ...((transition || mail) && {
      $push: { ...(transition && { history: { ...request, ...transition } }), ...(mail && { mails: mail }) },
    }),
  };
}

/** Makes the MongoDB update for the end of a token. It also marks the transition for the log. */
export function endUpdate({ set, transition }: TokenEnd): Document {
  return { $set: { ...set, logSince: transition.at }, $push: { history: transition } };
}

/** Parts of `$jsonSchema` that several collections use. */
export const uuid = { bsonType: 'string', pattern: '^[0-9a-f-]{36}$' } as const;
export const hash = { bsonType: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } as const;
const scopeList = { bsonType: 'array', uniqueItems: true, items: { enum: [...scopes] } } as const;

/** The index with which MongoDB deletes each document at its `purgeAt`. */
export const purgeIndex = endIndex('purge', 'purgeAt');

const mailsIndex = timesIndex('mails', 'mailsDueAt');

/** The schema of the mails in a document. */
const mailList = listOf(
  exactly(
    {
      id: uuid,
      purpose: text,
      state: { enum: ['pending', 'sent', 'refused', 'unknown', 'cancelled'] },
      attempts: count,
      recordedAt: date,
      dueAt: date,
      sentAt: dateOrNull,
      traceparent: text,
      copies: count,
      triedSince: date,
      failure: exactly({ stage: text, code: text, words: text, kind: text, at: date }),
    },
    ['traceparent', 'copies', 'triedSince', 'failure'],
  ),
);

/** The collection of access keys, with the mails that contain them. The shard key is the hashed `_id`. */
const accessKeysSchema: CollectionDeclaration = {
  name: 'access_keys',
  validator: {
    $jsonSchema: exactly({
      _id: uuid,
      email: text,
      site: { enum: [...sites] },
      hashes: listOf(hash),
      createdAt: date,
      mails: mailList,
      mailsDueAt: dateOrNull,
      purgeAt: date,
    }),
  },
  indexes: [{ name: 'email', key: { email: 1 } }, mailsIndex, failedMailsIndex, purgeIndex],
};

/** The collection of blocks, by mailbox. The shard key is the hashed `_id`. */
const blocksSchema: CollectionDeclaration = {
  name: 'blocks',
  validator: {
    $jsonSchema: exactly(
      {
        _id: text,
        until: dateOrNull,
        actor: text,
        reason: text,
        createdAt: date,
        purgeAt: dateOrNull,
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
const requestersSchema: CollectionDeclaration = {
  name: 'requesters',
  validator: { $jsonSchema: exactly({ _id: uuid, email: text, address: text, clientId: text, purgeAt: date }) },
  indexes: [{ name: 'email', key: { email: 1 } }, purgeIndex],
};

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
const authorizationsSchema: CollectionDeclaration = {
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
        site: { enum: [...sites] },
        origin: { enum: ['agent', 'support'] },
        state: { enum: [...authorizationStates] },
        createdAt: date,
        expiresAt: date,
        decision: { enum: ['confirm', 'decline', null] },
        decidedAt: dateOrNull,
        pickUpUntil: dateOrNull,
        userCode: text,
        userCodeHash: { bsonType: ['string', 'null'] },
        userCodeRule: { enum: [...userCodeRules] },
        wrongUserCodes: count,
        deviceHashes: listOf(hash),
        lastPolledAt: dateOrNull,
        codes: listOf(code),
        grant,
        mails: mailList,
        mailsDueAt: dateOrNull,
        timerAt: dateOrNull,
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
    requestIndex,
    mailsIndex,
    failedMailsIndex,
    timesIndex('timer', 'timerAt'),
    purgeIndex,
    logIndex,
  ],
};

/** The collection of tokens, by hash. The shard key is the hashed `_id`. */
const tokensSchema: CollectionDeclaration = {
  name: 'tokens',
  validator: {
    $jsonSchema: exactly(
      {
        _id: hash,
        id: uuid,
        authorizationId: uuid,
        rootAuthorizationId: uuid,
        email: text,
        agentName: text,
        scopes: scopeList,
        state: { enum: [...tokenStates] },
        createdAt: date,
        expiresAt: date,
        lastUsedAt: dateOrNull,
        revokedAt: dateOrNull,
        history: historySchema,
        purgeAt: date,
        logSince: date,
      },
      ['logSince'],
    ),
  },
  indexes: [
    { name: 'id', key: { id: 1 } },
    { name: 'email', key: { email: 1, createdAt: -1, id: -1 } },
    { name: 'expiry', key: { expiresAt: 1 }, partialFilterExpression: { state: 'active' } },
    purgeIndex,
    logIndex,
  ],
};

export const schema: readonly CollectionDeclaration[] = [
  accessKeysSchema,
  requestersSchema,
  blocksSchema,
  authorizationsSchema,
  transitionsSchema(logSubjects.identity, {
    rootAuthorizationId: uuid,
    withdrawWaiting: boolean,
    requestId: text,
  }),
  tokensSchema,
];
