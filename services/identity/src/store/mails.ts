import { createMongoOutbox, type MailClaim, type OutboxStore, type Settlement } from '@knowledge/runtime/mail';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db, Document } from 'mongodb';
import type { Authorization, MailedCode } from '../domain/authorization.js';
import { type AuthorizationDocument, authorizationsOf, toAuthorization } from './documents.js';

/** The mails of requests, with the codes and keys that they carry. */
export interface MailStore extends OutboxStore<Authorization> {
  /** Notes the code of an attempt; false if the request was decided or the mail claimed by another since. */
  addCode(claim: MailClaim<Authorization>, code: MailedCode, signal: AbortSignal): Promise<boolean>;
  /** Notes the human's own key that an attempt carries; false if the mail was claimed by another since. */
  addAccessKey(claim: MailClaim<Authorization>, keyHash: string, signal: AbortSignal): Promise<boolean>;
}

/** `codeLifeMs`: how long a mailed code lives from the moment the mail server took the mail. */
export function createMailStore(db: Db, codeLifeMs: number): MailStore {
  const authorizations = authorizationsOf(db);
  const outbox = createMongoOutbox<AuthorizationDocument>(authorizations, {
    alsoSettle: ({ mail }, settlement) => settleCodes(mail, settlement, codeLifeMs),
  });

  const held = ({ owner, mail: { id, attempts } }: MailClaim<Authorization>) => ({
    _id: owner.id,
    mails: { $elemMatch: { id, attempts, state: 'pending' as const } },
  });

  return {
    claim: async (now, leaseUntil, signal) => {
      const claim = await outbox.claim(now, leaseUntil, signal);
      return claim && { mail: claim.mail, owner: toAuthorization(claim.owner) };
    },
    settle: ({ owner, mail }, settlement, signal) =>
      outbox.settle({ mail, owner: { _id: owner.id, ...owner } }, settlement, signal),
    backlog: outbox.backlog,
    addCode: async (claim, code, signal) => {
      const update = { $push: { codes: { $each: [code], $slice: -mostCodes } } };
      const filter = { ...held(claim), state: 'pending' as const };
      return (await authorizations.updateOne(filter, update, abortable(signal))).matchedCount === 1;
    },
    addAccessKey: async (claim, keyHash, signal) => {
      const update = { $push: { accessKeyHashes: { $each: [keyHash], $slice: -mostCodes } } };
      return (await authorizations.updateOne(held(claim), update, abortable(signal))).matchedCount === 1;
    },
  };
}

// More attempts than that are known to have failed or are long over.
const mostCodes = 50;

/** The code of an attempt lives from its acceptance; one that cannot have been read is forgotten. */
function settleCodes(mail: { id: string; attempts: number }, settlement: Settlement, lifeMs: number): Document[] {
  const ours = {
    $and: [{ $eq: ['$$code.mailId', { $literal: mail.id }] }, { $eq: ['$$code.attempt', mail.attempts] }],
  };
  if (settlement.state === 'sent') {
    const goodUntil = { $min: [new Date(settlement.at.getTime() + lifeMs), '$expiresAt'] };
    const each = { $cond: [ours, { $mergeObjects: ['$$code', { goodUntil }] }, '$$code'] };
    return [{ $set: { codes: { $map: { input: '$codes', as: 'code', in: each } } } }];
  }
  if (settlement.state === 'pending' && settlement.mayBeSent) return [];
  return [{ $set: { codes: { $filter: { input: '$codes', as: 'code', cond: { $not: ours } } } } }];
}
