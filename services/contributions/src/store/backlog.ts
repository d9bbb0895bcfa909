import { abortable } from '@knowledge/runtime/mongodb';
import type { Db, Filter, WithId } from 'mongodb';
import { uncomparedTerm } from '../domain/search-terms.js';
import { bandsOf } from '../similarity/bands.js';
import { shinglesOf } from '../similarity/shingles.js';
import { assessContribution, type FindLike } from './assess-contribution.js';
import { toContribution } from './contribution-document.js';
import type { Assessed, ContributionDocument } from './documents.js';

/**
 * The contributions without an assessment: new ones, those with a new text, and those that an older release stored.
 * Behind them come those that could not be compared with published texts.
 */
export interface Backlog {
  /** Assesses the next ones, at most 50. Returns how many are done. It may stop anywhere, and run in many replicas. */
  assessNext(signal: AbortSignal): Promise<number>;
}

export function createBacklog(db: Db, findLike: FindLike): Backlog {
  const contributions = db.collection<ContributionDocument>('contributions');
  const next = (filter: Filter<ContributionDocument>, signal: AbortSignal) =>
    contributions
      .find(filter, { signal, projection: { 'textChanges.before': 0 } })
      .limit(batchSize)
      .toArray();
  let lookedAgainAt = '';

  const assessAll = async (
    waiting: readonly WithId<ContributionDocument>[],
    still: Filter<ContributionDocument>,
    signal: AbortSignal,
  ): Promise<Assessed[]> => {
    const store = async (fields: (document: ContributionDocument, at: number) => Partial<Assessed>): Promise<void> => {
      const writes = waiting.map((document, at) => ({
        updateOne: {
          filter: { ...still, _id: document._id, revision: document.revision },
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
    return assessed;
  };

  return {
    async assessNext(signal) {
      // The index of terms has an entry for a document without terms.
      const isNew = { terms: { $exists: false } };
      const waiting = await next(isNew, signal);
      if (waiting.length > 0) return (await assessAll(waiting, isNew, signal)).length;
      const isUncompared = { terms: uncomparedTerm };
      const again = await next({ ...isUncompared, _id: { $gt: lookedAgainAt } }, signal);
      lookedAgainAt = again.length < batchSize ? '' : (again.at(-1)?._id ?? '');
      if (again.length === 0) return 0;
      const assessed = await assessAll(again, isUncompared, signal);
      return assessed.filter(({ terms }) => !terms.includes(uncomparedTerm)).length;
    },
  };
}

const batchSize = 50;
/** Each assessment makes some queries side by side. */
const atOnce = 5;
