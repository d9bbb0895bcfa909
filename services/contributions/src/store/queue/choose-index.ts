import { abortable } from '@knowledge/runtime/mongodb';
import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';
import type { ContributionDocument } from '../documents.js';
import { inQueue, isNarrow, type RecordFilter } from './record-filter.js';
import type { RecordOrder } from './record-order.js';

/** The index by which a list is read. */
export interface ChosenIndex {
  readonly hint: 'queue_by_age' | 'queue_by_risk' | 'terms' | 'own' | 'request' | 'waves' | 'authorization' | '_id_';
  /** The rarest term; only for the index of terms. */
  readonly term?: number;
  /** Whether the index has the order of the list. If not, the server reads all that the index selects, and sorts it. */
  readonly sorted: boolean;
  /** How many contributions the index selects, at most `countedMost`; undefined if that was not counted. */
  readonly selected?: number;
}

const groupIndexes: Readonly<Record<string, ChosenIndex['hint']>> = { human: 'own', agent: 'authorization' };

/** Index entries are counted up to this number. */
export const countedMost = 10_000;
const frequentFrom = 1_000;

/**
 * Chooses the index that makes the server read the fewest contributions. It counts the entries of each term, up to
 * 10,000. Undefined if a term has none. An index in the order of the list is read until the page is full, so it suits
 * frequent terms; the index of terms suits rare ones.
 */
export async function chooseIndex(
  contributions: Collection<ContributionDocument>,
  countTerm: CountTerm,
  filter: RecordFilter,
  order: RecordOrder,
  size: number,
  signal: AbortSignal,
): Promise<ChosenIndex | undefined> {
  if (filter.idPrefix !== undefined) return { hint: '_id_', sorted: false };
  if (filter.requestId !== undefined) return { hint: 'request', sorted: false };
  if (filter.email !== undefined) return { hint: 'own', sorted: false };
  const group = filter.group?.split(':', 1)[0] ?? 'none';
  if (group !== 'none') return { hint: groupIndexes[group] ?? 'waves', sorted: false };
  const inOrder = { hint: order === 'risk' ? 'queue_by_risk' : 'queue_by_age', sorted: true } as const;
  const hasWindow = filter.since !== undefined || filter.before !== undefined;
  if (filter.terms.length === 0 && !(order === 'risk' && hasWindow)) return inOrder;
  const [all, queued, ...counts] = await Promise.all([
    contributions.estimatedDocumentCount(abortable(signal)),
    isNarrow(filter) ? countUpTo(contributions, inQueue(filter), 'queue_by_age', signal) : countedMost,
    ...filter.terms.map((term) => countTerm(term, signal)),
  ]);
  const [rarest] = counts
    .map((selected, at) => ({ selected, term: filter.terms[at] as number }))
    .sort((one, other) => one.selected - other.selected);
  if (rarest?.selected === 0 || queued === 0) return undefined;
  const costOf = (selected: number): number => (selected < countedMost ? selected : all);
  const share = counts.reduce((product, count) => product * Math.min(1, count / all), 1);
  const inWindow = hasWindow && order === 'risk' ? Math.min(1, queued / all) : 1;
  const whole = hasWindow && order === 'risk' ? all : costOf(queued);
  const choices: { index: ChosenIndex; cost: number }[] = [
    { index: inOrder, cost: Math.min(whole, (size + 1) / (share * inWindow)) },
    { index: { hint: 'queue_by_age', sorted: false, selected: queued }, cost: costOf(queued) },
  ];
  if (rarest !== undefined)
    choices.push({ index: { hint: 'terms', sorted: false, ...rarest }, cost: costOf(rarest.selected) });
  return choices.reduce((best, each) => (each.cost < best.cost ? each : best)).index;
}

/** Counts the entries of a term, up to `countedMost`. */
export type CountTerm = (term: number, signal: AbortSignal) => Promise<number>;

/** Makes the counter. It remembers frequent terms for ten seconds; a term that was rare may just have come. */
export function createTermCounter(contributions: Collection<ContributionDocument>): CountTerm {
  const frequent = new LRUCache<number, number>({ max: 5_000, ttl: 10_000 });
  return async (term, signal) => {
    const known = frequent.get(term);
    if (known !== undefined) return known;
    const count = await countUpTo(contributions, { terms: term }, 'terms', signal);
    if (count >= frequentFrom) frequent.set(term, count);
    return count;
  };
}

export function countUpTo(
  contributions: Collection<ContributionDocument>,
  filter: object,
  hint: ChosenIndex['hint'],
  signal: AbortSignal,
): Promise<number> {
  return contributions.countDocuments(filter, { signal, hint, limit: countedMost });
}
