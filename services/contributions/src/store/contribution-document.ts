import type { Contribution } from '../domain/contribution.js';
import { type ContributionDocument, store } from './documents.js';

/** A contribution as it is first stored. */
export function toContributionDocument(contribution: Contribution): ContributionDocument {
  return { ...store(contribution), mails: [], mailsDueAt: null, logPending: true };
}

/** A stored contribution without what its workers keep beside it. */
export function toContribution(document: ContributionDocument): Contribution {
  const { _id, mails: _mails, mailsDueAt: _due, logPending: _pending, erased: _erased, ...contribution } = document;
  return { id: _id, ...contribution };
}
