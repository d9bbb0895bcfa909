import type { Collection } from 'mongodb';
import type { Contribution } from '../domain/contribution.js';
import { bandsOf } from '../similarity/bands.js';
import { shinglesOf, similarity } from '../similarity/shingles.js';
import type { ContributionDocument } from './documents.js';

/** Another contribution with nearly the same text. */
export interface Similar {
  document: Pick<ContributionDocument, '_id' | 'title' | 'body' | 'state' | 'email' | 'revision' | 'waves'>;
  /** How many of 100 shingles of both texts both have. */
  percent: number;
}

/** Texts below this percentage are not shown. */
const leastPercent = 50;

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
    .filter(({ percent }) => percent >= leastPercent)
    .sort((one, other) => other.percent - one.percent || (one.document._id < other.document._id ? -1 : 1))
    .slice(0, 10);
}
