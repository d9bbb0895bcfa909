import { createMongoOutbox, type OutboxStore } from '@knowledge/runtime/mail';
import type { Db } from 'mongodb';
import type { ContributionDocument } from './documents.js';

/** The outbox of the mails in the contribution documents. */
export function createContributionMails(db: Db): OutboxStore<ContributionDocument> {
  return createMongoOutbox(db.collection<ContributionDocument>('contributions'));
}
