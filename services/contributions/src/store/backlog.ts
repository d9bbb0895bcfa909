import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { assessContribution } from './assess-contribution.js';
import { toContribution } from './contribution-document.js';
import type { ContributionDocument } from './documents.js';

/** The contributions without an assessment: new ones, those with a new text, and those that an older release stored. */
export interface Backlog {
  /** Assesses the next ones, at most 50. Returns their number. It may stop anywhere, and run in many replicas. */
  assessNext(signal: AbortSignal): Promise<number>;
}

export function createBacklog(db: Db): Backlog {
  const contributions = db.collection<ContributionDocument>('contributions');

  return {
    async assessNext(signal) {
      // The index of terms has an entry for a document without terms.
      const waiting = await contributions
        .find({ terms: { $exists: false } }, { signal })
        .limit(50)
        .toArray();
      for (const document of waiting) {
        const assessed = await assessContribution(contributions, toContribution(document), signal);
        const unchanged = { _id: document._id, revision: document.revision, terms: { $exists: false } };
        await contributions.updateOne(unchanged, { $set: assessed }, abortable(signal));
      }
      return waiting.length;
    },
  };
}
