import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import type { Contribution, Publication } from '../domain/contribution.js';
import { contributionsOf, toContribution } from '../store/contribution-document.js';

/** A change for the catalog that one worker has claimed. */
export interface PublicationClaim {
  contribution: Contribution;
  publication: Publication;
}

/** Stores the changes for the catalog inside the contribution documents. Every write filters by `_id`, for any shard. */
export function createPublicationStore(db: Db) {
  const contributions = contributionsOf(db);

  return {
    /**
     * Claims due changes by compare-and-set, the longest waiting first. No other worker can claim them before
     * `claimedUntil`.
     */
    async claim(most: number, now: Date, claimedUntil: Date, signal: AbortSignal) {
      const due = { 'publication.dueAt': { $type: 'date', $lte: now } } as const;
      const options = { signal, projection: { _id: 1 }, sort: { 'publication.dueAt': 1 }, limit: most } as const;
      const candidates = await contributions.find(due, options).toArray();
      const taken = candidates.map(({ _id }) =>
        contributions.findOneAndUpdate(
          { _id, ...due },
          { $set: { 'publication.dueAt': claimedUntil }, $inc: { 'publication.attempts': 1 } },
          { ...abortable(signal), returnDocument: 'after' },
        ),
      );
      return (await Promise.all(taken)).flatMap((document) =>
        document === null || document.publication === null
          ? []
          : [{ contribution: toContribution(document), publication: document.publication }],
      );
    },

    /** Marks a change as applied. A newer change of the same contribution stays due. */
    async applied(
      { contribution: { id }, publication: { action, revision } }: PublicationClaim,
      now: Date,
      signal: AbortSignal,
    ) {
      // The catalog now has this revision, even if another worker delivered it. So mails that waited for the revision
      // can be sent.
      await contributions.updateOne(
        { _id: id, 'publication.revision': revision },
        {
          $set: {
            'publication.dueAt': null,
            catalogRevision: action === 'publish' ? revision : 0,
            'mails.$[waiting].dueAt': now,
            // If no mail waited, this time is too early, and the outbox corrects it.
            mailsDueAt: now,
          },
        },
        {
          ...abortable(signal),
          arrayFilters: [{ 'waiting.purpose': 'published', 'waiting.state': 'pending', 'waiting.attempts': 0 }],
        },
      );
    },

    /** Sets the time of the next attempt. */
    async postpone(
      { contribution: { id }, publication: { revision, attempts } }: PublicationClaim,
      dueAt: Date,
      signal: AbortSignal,
    ) {
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

export type PublicationStore = ReturnType<typeof createPublicationStore>;
