import { mailboxOf } from '@knowledge/runtime';
import type { ContributionState } from '@knowledge/runtime/product';
import type { Collection, Db, Filter } from 'mongodb';
import { bandsOf, shinglesOf, similarity } from '../checks/similarity.js';
import type { Contribution } from '../domain/contribution.js';
import { type ContributionDocument, contributionsOf } from './contribution-document.js';

/** Other contributions that a moderator wants to know before a decision. */
export interface RelatedWork {
  similar: readonly Similar[];
  /** Of the same human; undefined if the human was erased. */
  ofHuman: OtherWork | undefined;
  /** Over the same authorization; undefined for none. */
  ofAgent: OtherWork | undefined;
}

/** Other contributions of one human or one authorization. */
export interface OtherWork {
  /** Counted by state, of the newest 1,000. */
  counts: { state: ContributionState; count: number }[];
  /** The newest, at most 5. */
  newest: OtherContribution[];
}

type OtherContribution = Pick<
  ContributionDocument,
  '_id' | 'title' | 'type' | 'purpose' | 'state' | 'reason' | 'submittedAt' | 'revision'
> & {
  /** The beginning of its body. */
  beginning: string;
};

export type ReadRelatedWork = (contribution: Contribution, signal: AbortSignal) => Promise<RelatedWork>;

/** How many similar texts are compared for a moderator. */
const compared = 25;
const mostCounted = 1_000;
const mostShown = 5;
/** The characters of a body that are shown of other contributions. */
export const beginningLength = 200;

export function relatedWorkReader(db: Db): ReadRelatedWork {
  const contributions = contributionsOf(db);

  const others = async (id: string, whose: Filter<ContributionDocument>, signal: AbortSignal): Promise<OtherWork> => {
    const filter = { ...whose, _id: { $ne: id }, erased: { $exists: false } };
    const newestFirst = { submittedAt: -1, _id: -1 } as const;
    const [newest, counts] = await Promise.all([
      contributions
        .find(filter, { signal })
        .sort(newestFirst)
        .limit(mostShown)
        .project<OtherContribution>({
          title: 1,
          type: 1,
          purpose: 1,
          state: 1,
          reason: 1,
          submittedAt: 1,
          revision: 1,
          beginning: { $substrCP: ['$body', 0, beginningLength] },
        })
        .toArray(),
      contributions
        .aggregate<{ _id: ContributionState; count: number }>(
          [
            { $match: filter },
            { $sort: newestFirst },
            { $limit: mostCounted },
            { $group: { _id: '$state', count: { $sum: 1 } } },
            { $sort: { count: -1, _id: 1 } },
          ],
          { signal },
        )
        .toArray(),
    ]);
    return { newest, counts: counts.map(({ _id, count }) => ({ state: _id, count })) };
  };

  return async (contribution, signal) => {
    const { id, email, authorizationId } = contribution;
    const [similar, ofHuman, ofAgent] = await Promise.all([
      findSimilar(contributions, contribution, compared, signal),
      email === '' ? undefined : others(id, { mailbox: mailboxOf(email) }, signal),
      authorizationId === '' ? undefined : others(id, { authorizationId }, signal),
    ]);
    return { similar, ofHuman, ofAgent };
  };
}

/** Another contribution with nearly the same text. */
export interface Similar {
  document: Pick<ContributionDocument, '_id' | 'title' | 'body' | 'state' | 'email' | 'revision' | 'waves'>;
  /** How many of 100 shingles of both texts both have. */
  percent: number;
}

/** Texts below this percentage are not shown. */
const leastShown = 50;

/** How many contributions with a common band are read without their texts. */
const mostCandidates = 300;

/**
 * Finds the contributions whose bodies are most similar, at most 10. Of those that share a band, it compares the bodies
 * of the `compared` that share most.
 */
export async function findSimilar(
  contributions: Collection<ContributionDocument>,
  { id, body }: Pick<Contribution, 'id' | 'body'>,
  compared: number,
  signal: AbortSignal,
  shingles = shinglesOf(body),
): Promise<Similar[]> {
  const bands = new Set(bandsOf(shingles));
  if (bands.size === 0) return [];
  const candidates = await contributions
    .find({ bands: { $in: [...bands] }, _id: { $ne: id }, erased: { $exists: false } }, { signal, hint: 'bands' })
    .project<Pick<ContributionDocument, '_id' | 'bands'>>({ bands: 1 })
    .limit(mostCandidates)
    .toArray();
  const sharing = candidates
    .map(({ _id, bands: theirs = [] }) => ({ _id, shared: theirs.filter((band) => bands.has(band)).length }))
    .sort((one, other) => other.shared - one.shared || (one._id < other._id ? -1 : 1));
  const ids = sharing.slice(0, compared).map(({ _id }) => _id);
  if (ids.length === 0) return [];
  const documents = await contributions
    .find({ _id: { $in: ids } }, { signal })
    .project<Similar['document']>({ title: 1, body: 1, state: 1, email: 1, revision: 1, waves: 1 })
    .toArray();
  return documents
    .map((document) => ({ document, percent: similarity(shingles, shinglesOf(document.body)) }))
    .filter(({ percent }) => percent >= leastShown)
    .sort((one, other) => other.percent - one.percent || (one.document._id < other.document._id ? -1 : 1))
    .slice(0, 10);
}
