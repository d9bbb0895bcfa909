import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import type { Contribution, Publication } from '../domain/contribution.js';
import { toContribution } from './contribution-document.js';
import type { ContributionDocument } from './documents.js';

/** A change that the catalog must take, as of its claim. */
export interface PublicationClaim {
  contribution: Contribution;
  publication: Publication;
}

/** What the catalog must be told: the publication outbox of the contributions. */
export interface PublicationStore {
  /** Takes what is due, longest first, each by compare-and-set: nobody else tries it before `leaseUntil`. */
  claim(most: number, now: Date, leaseUntil: Date, signal: AbortSignal): Promise<PublicationClaim[]>;
  /** The catalog has it. If a newer change was decided since, that one stays to be told. */
  applied(claim: PublicationClaim, now: Date, signal: AbortSignal): Promise<void>;
  /** The catalog does not have it; it is tried again then. */
  postpone(claim: PublicationClaim, dueAt: Date, signal: AbortSignal): Promise<void>;
}

/** The publication outbox in MongoDB. Every change names its document by `_id`, so it works on any shard. */
export function createPublicationStore(db: Db): PublicationStore {
  const contributions = db.collection<ContributionDocument>('contributions');

  return {
    async claim(most, now, leaseUntil, signal) {
      const due = { 'publication.dueAt': { $type: 'date', $lte: now } } as const;
      const options = { signal, projection: { _id: 1 }, sort: { 'publication.dueAt': 1 }, limit: most } as const;
      const candidates = await contributions.find(due, options).toArray();
      const taken = candidates.map(({ _id }) =>
        contributions.findOneAndUpdate(
          { _id, ...due },
          { $set: { 'publication.dueAt': leaseUntil }, $inc: { 'publication.attempts': 1 } },
          { ...abortable(signal), returnDocument: 'after' },
        ),
      );
      return (await Promise.all(taken)).flatMap((document) =>
        document === null || document.publication === null
          ? []
          : [{ contribution: toContribution(document), publication: document.publication }],
      );
    },

    async applied({ contribution: { id }, publication: { action, revision } }, now, signal) {
      // Whoever delivered it, and however often: the catalog has this revision now. The mails that waited for it may go.
      await contributions.updateOne(
        { _id: id, 'publication.revision': revision },
        {
          $set: {
            'publication.dueAt': null,
            catalogRevision: action === 'publish' ? revision : 0,
            'mails.$[waiting].dueAt': now,
            // If none waited, the outbox finds the right time by itself.
            mailsDueAt: now,
          },
        },
        {
          ...abortable(signal),
          arrayFilters: [{ 'waiting.purpose': 'published', 'waiting.state': 'pending', 'waiting.attempts': 0 }],
        },
      );
    },

    async postpone({ contribution: { id }, publication: { revision, attempts } }, dueAt, signal) {
      await contributions.updateOne(
        {
          _id: id,
          'publication.revision': revision,
          'publication.attempts': attempts,
          'publication.dueAt': { $ne: null },
        },
        { $set: { 'publication.dueAt': dueAt } },
        abortable(signal),
      );
    },
  };
}
