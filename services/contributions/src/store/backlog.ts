import { abortable } from '@knowledge/runtime/mongodb';
import type { Db, Filter, WithId } from 'mongodb';
import { type ReadText, readText } from '../checks/read-text.js';
import { uncomparedTerm } from '../domain/search-terms.js';
import { bandsOf } from '../similarity/bands.js';
import { shinglesOf } from '../similarity/shingles.js';
import { assessContribution, type ComparePublished } from './assess-contribution.js';
import { toContribution } from './contribution-document.js';
import type { Assessed, ContributionDocument } from './documents.js';
import { createWaveRaiser, wavesOf } from './waves.js';

/**
 * The contributions without an assessment: new ones, those with a new text, and those that an older release stored.
 * Behind them come those that could not be compared with published texts.
 */
export interface Backlog {
  /** Assesses the next ones, at most 50. Returns how many are done. It may stop anywhere, and run in many replicas. */
  assessNext(signal: AbortSignal): Promise<number>;
}

export function createBacklog(
  db: Db,
  comparePublished: ComparePublished,
  ownHosts: ReadonlySet<string> = new Set(),
): Backlog {
  const contributions = db.collection<ContributionDocument>('contributions');
  const raise = createWaveRaiser(contributions);
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
    const store = async (some: readonly WithId<ContributionDocument>[], fields: readonly Partial<Assessed>[]) => {
      const writes = some.map(({ _id, revision }, at) => ({
        updateOne: { filter: { ...still, _id, revision }, update: { $set: fields[at] ?? {} } },
      }));
      await contributions.bulkWrite(writes, { ...abortable(signal), ordered: false });
    };
    const texts = waiting.map(readText);
    // What they have in common comes first, so that texts of one batch find each other. Terms come last, and end the work.
    const common = await inTurns(waiting, async (document, at) => ({
      bands: bandsOf(shinglesOf(document.body, texts[at])),
      waves: await wavesOf(contributions, document, texts[at] as ReadText, ownHosts, signal),
    }));
    await store(waiting, common);
    const assessed = await inTurns(waiting, async (document, at) => {
      const waves = common[at]?.waves;
      const done = await assessContribution(
        contributions,
        comparePublished,
        toContribution(document),
        signal,
        waves,
        texts[at],
      );
      await store([document], [done]);
      return done;
    });
    for (const [at, done] of assessed.entries()) await raise(waiting[at] as ContributionDocument, done, signal);
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

async function inTurns<Item, Result>(
  items: readonly Item[],
  run: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    const some = items.slice(from, from + atOnce);
    results.push(...(await Promise.all(some.map((item, at) => run(item, from + at)))));
  }
  return results;
}
