import { createMongoOutbox } from '@knowledge/runtime/mail';
import type { Db } from 'mongodb';
import { toContribution } from './contribution-document.js';
import type { ContributionDocument } from './documents.js';

/** The outbox of the mails in the contribution documents. */
export function createContributionMails(db: Db) {
  return createMongoOutbox(db.collection<ContributionDocument>('contributions'), { toOwner: toContribution });
}
