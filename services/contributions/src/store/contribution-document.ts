import { randomUUID } from 'node:crypto';
import type { CallContext } from '@knowledge/runtime';
import { newMail, type OutboxMail } from '@knowledge/runtime/mail';
import type { Contribution, Notice } from '../domain/contribution.js';
import { type ContributionDocument, store } from './documents.js';

/** A contribution as it is first stored. */
export function toContributionDocument(contribution: Contribution): ContributionDocument {
  return { ...store(contribution), mails: [], mailsDueAt: null, logSince: contribution.updatedAt };
}

/** A stored contribution without what its workers keep beside it. One of an older release lacks what came later. */
export function toContribution(document: ContributionDocument): Contribution {
  const { _id, mails: _mails, mailsDueAt: _due, logSince: _logSince, erased: _erased, ...contribution } = document;
  return { ...addedLater, id: _id, ...contribution };
}

const addedLater = { authorizationId: '', language: '', textHash: '', duplicateOf: null, note: '' };

/** The document with a mail to send at once. */
export function withMail(document: ContributionDocument, notice: Notice, call: CallContext): ContributionDocument {
  return { ...document, mails: [...document.mails, noticeMail(notice, call)], mailsDueAt: call.now };
}

/** A mail to record with the change that it tells of. */
export function noticeMail(notice: Notice, { now, traceparent }: CallContext): OutboxMail {
  const mail = newMail(randomUUID(), notice, now, traceparent);
  return notice === 'published' ? { ...mail, dueAt: new Date(now.getTime() + publicationHoldMs) } : mail;
}

/** How long a mail about a publication waits for the catalog, so that its link opens; then it goes all the same. */
const publicationHoldMs = 3_600_000;
