import { randomUUID } from 'node:crypto';
import { type CallContext, mailboxOf } from '@knowledge/runtime';
import { newMail, type OutboxMail } from '@knowledge/runtime/mail';
import { kinds } from '@knowledge/runtime/product';
import { networkWave } from '../checks/waves.js';
import { type Contribution, type Notice, untouched } from '../domain/contribution.js';
import { type ContributionDocument, toStored } from './documents.js';

/** Makes a new database document. `logSince` marks that the transition log lacks its first transition. */
export function toContributionDocument(contribution: Contribution, network = ''): ContributionDocument {
  const waves = network === '' ? {} : { waves: [networkWave(network)] };
  const mailbox = mailboxOf(contribution.email);
  return {
    ...toStored(contribution),
    mailbox,
    ...waves,
    mails: [],
    mailsDueAt: null,
    logSince: contribution.updatedAt,
  };
}

/** Reads a database document. Fields that an older release did not store get default values. */
export function toContribution(document: ContributionDocument): Contribution {
  const { _id, mails: _mails, mailsDueAt: _due, logSince: _logSince, ...rest } = document;
  const { erased: _erased, notes: _notes, mailbox: _mailbox, ...stored } = rest;
  const { risk: _risk, findings: _findings, terms: _terms, bands: _bands, waves: _waves, ...contribution } = stored;
  const purpose = contribution.purpose ?? (kinds[contribution.type].hasPurpose ? 'question' : null);
  return { ...addedLater, id: _id, ...contribution, purpose };
}

/** What lists do not read. Earlier texts can be many times as long as the current one, and only queries need terms. */
export const leftOutOfLists = { 'textChanges.before': 0, terms: 0, bands: 0, waves: 0 } as const;

const addedLater = {
  authorizationId: '',
  language: '',
  textHash: '',
  duplicateOf: null,
  about: null,
  ...untouched,
};

/** Adds a mail to the document. The mail is due at once. */
export function withMail(document: ContributionDocument, notice: Notice, call: CallContext): ContributionDocument {
  return { ...document, mails: [...document.mails, noticeMail(notice, call)], mailsDueAt: call.now };
}

/** Makes a mail about a change of a contribution. */
export function noticeMail(notice: Notice, { now, traceparent }: CallContext): OutboxMail {
  const mail = newMail(randomUUID(), notice, now, traceparent);
  return notice === 'published' ? { ...mail, dueAt: new Date(now.getTime() + publicationHoldMs) } : mail;
}

/** The longest time for which a mail waits until the catalog has the object of its link. Then it is sent anyway. */
const publicationHoldMs = 3_600_000;
