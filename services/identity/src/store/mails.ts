import { createMongoOutbox, type DeliveryResult, type MailClaim, type OutboxStore } from '@knowledge/runtime/mail';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db, Document } from 'mongodb';
import type { Authorization, MailedCode } from '../domain/authorization.js';
import { authorizationsOf, toAuthorization } from './documents.js';

/** The outbox of the authorizations. It also stores the codes that the mails contain. */
export interface MailStore extends OutboxStore<Authorization> {
  /** Adds the code of an attempt. Returns false if the human has decided or another worker has claimed the mail. */
  addCode(claim: MailClaim<Authorization>, code: MailedCode, signal: AbortSignal): Promise<boolean>;
}

/** Makes the store. A code is valid for `codeLifeMs` after the mail server has accepted the mail. */
export function createMailStore(db: Db, codeLifeMs: number): MailStore {
  const authorizations = authorizationsOf(db);
  const outbox = createMongoOutbox(authorizations, {
    toOwner: toAuthorization,
    extraResultStages: (mail, settlement) => settleCodes(mail, settlement, codeLifeMs),
  });

  return {
    ...outbox,
    addCode: async ({ ownerId, mail: { id, attempts } }, code, signal) => {
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
    const goodUntil = { $min: [new Date(settlement.at.getTime() + lifeMs), '$expiresAt'] };
    const each = { $cond: [ours, { $mergeObjects: ['$$code', { goodUntil }] }, '$$code'] };
    return [{ $set: { codes: { $map: { input: '$codes', as: 'code', in: each } } } }];
  }
  if (settlement.mayBeSent) return [];
  return [{ $set: { codes: { $filter: { input: '$codes', as: 'code', cond: { $not: ours } } } } }];
}
