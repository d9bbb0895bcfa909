import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { bandsOf } from '../similarity/bands.js';
import { shinglesOf } from '../similarity/shingles.js';
import { assessContribution, type FindLike } from './assess-contribution.js';
import { toContribution } from './contribution-document.js';
import type { Assessed, ContributionDocument } from './documents.js';

/** The contributions without an assessment: new ones, those with a new text, and those that an older release stored. */
export interface Backlog {
  /** Assesses the next ones, at most 50. Returns their number. It may stop anywhere, and run in many replicas. */
  assessNext(signal: AbortSignal): Promise<number>;
}

export function createBacklog(db: Db, findLike: FindLike): Backlog {
  const contributions = db.collection<ContributionDocument>('contributions');

  return {
    async assessNext(signal) {
      // The index of terms has an entry for a document without terms.
      const waiting = await contributions
        .find({ terms: { $exists: false } }, { signal, projection: { 'textChanges.before': 0 } })
        .limit(batchSize)
        .toArray();
      if (waiting.length === 0) return 0;
      const store = async (
        fields: (document: ContributionDocument, at: number) => Partial<Assessed>,
      ): Promise<void> => {
        const writes = waiting.map((document, at) => ({
          updateOne: {
            filter: { _id: document._id, revision: document.revision, terms: { $exists: false } },
            update: { $set: fields(document, at) },
          },
        }));
        await contributions.bulkWrite(writes, { ...abortable(signal), ordered: false });
      };
      // Bands come first, so that texts of one batch find each other. Terms come last, and end the work.
      await store(({ body }) => ({ bands: bandsOf(shinglesOf(body)) }));
      const assessed: Assessed[] = [];
      for (let at = 0; at < waiting.length; at += atOnce) {
        const some = waiting.slice(at, at + atOnce).map(toContribution);
        assessed.push(
          ...(await Promise.all(some.map((each) => assessContribution(contributions, findLike, each, signal)))),
        );
      }
      await store((_, at) => assessed[at] ?? {});
      return waiting.length;
    },
  };
}

const batchSize = 50;
/** Each assessment makes some queries side by side. */
const atOnce = 5;
