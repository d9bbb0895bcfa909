import { later } from '@knowledge/runtime';
import { createMongoOutbox, type DeliveryResult, type MailClaim } from '@knowledge/runtime/mail';
import { abortable, type Mongo } from '@knowledge/runtime/mongodb';
import type { LogSubject } from '@knowledge/runtime/product';
import type { CountTransitions } from '@knowledge/runtime/telemetry';
import {
  createTransitionLog as createLog,
  type TransitionLog as Log,
  type TransitionEntry,
} from '@knowledge/runtime/transition-log';
import type { Db, Document } from 'mongodb';
import type { Authorization, MailedCode } from '../domain/authorization.js';
import type { Transition } from '../domain/token.js';
import { createAuthorizationStore } from './authorizations.js';
import { createGrantStore } from './grants.js';
import { createAccessKeyStore, createBlockStore, createPersonStore, createRequesterStore } from './people.js';
import { authorizationsOf, toAuthorization } from './schema.js';
import { createTokenStore } from './tokens.js';

interface StoreParts {
  readonly linkMinutes: number;
  readonly count: CountTransitions;
}

export type Stores = ReturnType<typeof openStores>;

/** Opens all stores. The transition log uses separate connections. */
export function openStores({ client, db }: Mongo, watching: Mongo, { linkMinutes, count }: StoreParts) {
  return {
    authorizations: createAuthorizationStore(db),
    keys: createAccessKeyStore(db),
    blocks: createBlockStore(db),
    requesters: createRequesterStore(db),
    tokens: createTokenStore(db),
    grants: createGrantStore(client, db),
    people: createPersonStore(db),
    mails: createMailStore(db, linkMinutes * 60_000),
    transitions: createTransitionLog(watching.db, count),
  };
}

/**
 * The outbox of the authorizations. It also stores the codes that the mails contain. A code is valid for `codeLifeMs`
 * after the mail server has accepted the mail.
 */
function createMailStore(db: Db, codeLifeMs: number) {
  const authorizations = authorizationsOf(db);
  const outbox = createMongoOutbox(authorizations, {
    toOwner: toAuthorization,
    extraResultStages: (mail, settlement) => settleCodes(mail, settlement, codeLifeMs),
  });

  return {
    ...outbox,
    /** Adds the code of an attempt. Returns false if the human has decided or another worker has claimed the mail. */
    async addCode(
      { ownerId, mail: { id, attempts } }: MailClaim<Authorization>,
      code: MailedCode,
      signal: AbortSignal,
    ) {
      const update = { $push: { codes: { $each: [code], $slice: -mostCodes } } };
      const mails = { $elemMatch: { id, attempts, state: 'pending' as const } };
      const filter = { _id: ownerId, mails, state: 'pending' as const };
      return (await authorizations.updateOne(filter, update, abortable(signal))).matchedCount === 1;
    },
  };
}

// Only mails that may have arrived keep their codes, so a human would need as many mails to lose one.
const mostCodes = 50;

/**
 * Sets the expiry of a code when its mail is accepted. Until then the code is valid as long as its request. If the mail
 * was certainly not sent, it removes the code.
 */
function settleCodes(mail: { id: string; attempts: number }, settlement: DeliveryResult, lifeMs: number): Document[] {
  const ours = {
    $and: [{ $eq: ['$$code.mailId', { $literal: mail.id }] }, { $eq: ['$$code.attempt', mail.attempts] }],
  };
  if (settlement.state === 'sent') {
    const goodUntil = { $min: [later(settlement.at, lifeMs), '$expiresAt'] };
    const each = { $cond: [ours, { $mergeObjects: ['$$code', { goodUntil }] }, '$$code'] };
    return [{ $set: { codes: { $map: { input: '$codes', as: 'code', in: each } } } }];
  }
  if (settlement.mayBeSent) return [];
  return [{ $set: { codes: { $filter: { input: '$codes', as: 'code', cond: { $not: ours } } } } }];
}

export interface LogEntry extends TransitionEntry<LogSubject<'identity'>>, Transition {
  /** The id of the root of the renewal chain, to which contributions refer. Absent for a person and a session. */
  readonly rootAuthorizationId?: string;
}

export type TransitionLog = Log<LogEntry>;

/**
 * The transition log of authorizations, tokens and sessions of staff members. It identifies the last two by their `id`,
 * since the `_id` is a secret hash.
 */
export function createTransitionLog(db: Db, count?: CountTransitions): TransitionLog {
  const fields = { nameField: 'agentName', copied: ['rootAuthorizationId'] };
  return createLog(db, {
    sources: [
      { subject: 'authorization', collection: 'authorizations', ...fields },
      { subject: 'token', collection: 'tokens', idField: 'id', ...fields },
      { subject: 'session', collection: 'staff_sessions', idField: 'id', nameField: 'name', copied: [] },
    ],
    deleteErased: true,
    count,
  });
}
