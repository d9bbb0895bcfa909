import { createMongoOutbox, type OutboxStore } from '@knowledge/runtime/mail';
import type { Db } from 'mongodb';
import type { ContributionDocument } from './documents.js';

/** The outbox inside the contributions. */
export function createContributionMails(db: Db): OutboxStore<ContributionDocument> {
  return createMongoOutbox(db.collection<ContributionDocument>('contributions'));
}
