import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { bandsOf } from '../similarity/bands.js';
import { shinglesOf } from '../similarity/shingles.js';
import { assessContribution, type FindLike } from './assess-contribution.js';
import { toContribution } from './contribution-document.js';
import type { Assessed, ContributionDocument } from './documents.js';

/** The contributions without an assessment: new ones, those with a new text, and those that an older release stored. */
export interface Backlog {
  /** Assesses the next ones, at most 50. Returns how many are done. It may stop anywhere, and run in many replicas. */
  assessNext(signal: AbortSignal): Promise<number>;
}

export function createBacklog(db: Db, findLike: FindLike): Backlog {
  const contributions = db.collection<ContributionDocument>('contributions');
  const tries = new Map<string, number>();
  const mayTryAgain = (id: string, { findings }: Assessed): boolean => {
    if (!findings.some(({ check, about }) => check === 'published_text' && about === undefined)) return false;
    if (tries.size > mostTried) tries.clear();
    tries.set(id, (tries.get(id) ?? 0) + 1);
    return (tries.get(id) ?? 0) < mostTries;
  };

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
      let done = 0;
      await store(({ _id }, at) => {
        const { terms = [], ...shown } = assessed[at] ?? {};
        if (assessed[at] === undefined || mayTryAgain(_id, assessed[at])) return shown;
        tries.delete(_id);
        done++;
        return { ...shown, terms };
      });
      return done;
    },
  };
}

/** How often a text is assessed if it could not be compared with published texts. The pauses between grow to 30 s. */
const mostTries = 20;
const mostTried = 10_000;
const batchSize = 50;
/** Each assessment makes some queries side by side. */
const atOnce = 5;
