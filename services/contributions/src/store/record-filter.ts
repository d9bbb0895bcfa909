import { type Site, sites } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import {
  type ContributionState,
  type ContributionType,
  contributionStates,
  contributionTypes,
  type InquiryPurpose,
  kinds,
} from '@knowledge/runtime/product';
import { LRUCache } from 'lru-cache';
import type { Collection, Filter } from 'mongodb';
import type { ContributionDocument } from './contribution-document.js';

/** Selects contributions for moderators. An empty list or undefined selects all. */
export interface RecordFilter {
  states: readonly ContributionState[];
  types: readonly ContributionType[];
  site: Site | undefined;
  /** Only inquiries with this purpose. For a correction or report `terms` has the term of it. */
  purpose: InquiryPurpose | undefined;
  /** Contributions have all of these (`domain/search-terms.ts`). */
  terms: readonly number[];
  /** The key of a group; `none` for what is in no group. */
  group: string | undefined;
  /** The e-mail in lower case. */
  email: string | undefined;
  idPrefix: string | undefined;
  /** The id of a request that sent or changed it. */
  requestId: string | undefined;
  /** Sent at this time or later. */
  since: Date | undefined;
  /** Sent before this time. */
  before: Date | undefined;
}

/** The values of a filter for the first fields of the indexes of the queue. */
interface Cells {
  states: readonly ContributionState[];
  types: readonly ContributionType[];
  sites: readonly Site[];
}

export function cellsOf({ states, types, site, purpose }: RecordFilter): Cells {
  return {
    states: states.length === 0 ? contributionStates : states,
    types: typesOf(types, purpose),
    sites: site === undefined ? sites : [site],
  };
}

function typesOf(types: RecordFilter['types'], purpose: InquiryPurpose | undefined): Cells['types'] {
  const chosen = types.length === 0 ? contributionTypes : types;
  return purpose === undefined ? chosen : chosen.filter((type) => kinds[type].hasPurpose);
}

/** Whether a filter leaves some states, types, sites or times out. */
function isNarrow({ states, types, site, since, before }: RecordFilter) {
  return states.length > 0 || types.length > 0 || site !== undefined || since !== undefined || before !== undefined;
}

/** The part of a filter that the indexes of the queue answer without documents. */
export function inQueue(filter: RecordFilter): Filter<ContributionDocument> {
  const { states, types, sites } = cellsOf(filter);
  return { state: { $in: [...states] }, type: { $in: [...types] }, site: { $in: [...sites] }, ...sentIn(filter) };
}

export function sentIn({ since, before }: Pick<RecordFilter, 'since' | 'before'>): Filter<ContributionDocument> {
  if (since === undefined && before === undefined) return {};
  return { submittedAt: { ...(since && { $gte: since }), ...(before && { $lt: before }) } };
}

/** The orders in which moderators list contributions. */
export type RecordOrder = 'oldest' | 'newest' | 'risk';

/** The place of a contribution in any order. The next list page begins after it. */
export interface RecordPosition {
  /** -1 for a contribution that has not been assessed. */
  readonly risk: number;
  readonly at: Date;
  readonly id: string;
}

export const sortOf = {
  oldest: { submittedAt: 1, _id: 1 },
  newest: { submittedAt: -1, _id: -1 },
  risk: { risk: -1, submittedAt: 1, _id: 1 },
} as const;

export const positionOf = ({ risk = -1, submittedAt, _id }: ContributionDocument): RecordPosition => ({
  risk,
  at: submittedAt,
  id: _id,
});

/**
 * The filters of what comes after a position, in their order. Each is one range of an index, so the server never reads
 * over what came before.
 */
export function rangesAfter(order: RecordOrder, after: RecordPosition | undefined): Filter<ContributionDocument>[] {
  if (after === undefined) return [{}];
  const { risk, at: submittedAt, id } = after;
  if (order === 'newest') return [{ submittedAt, _id: { $lt: id } }, { submittedAt: { $lt: submittedAt } }];
  const younger = [{ submittedAt, _id: { $gt: id } }, { submittedAt: { $gt: submittedAt } }];
  if (order === 'oldest') return younger;
  // Null also finds contributions without a risk, which come last.
  const unknown = { risk: null } as unknown as Filter<ContributionDocument>;
  if (risk < 0) return younger.map((each) => ({ ...each, ...unknown }));
  return [...younger.map((each) => ({ ...each, risk })), { risk: { $lt: risk } }, unknown];
}

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
  const costOf = (selected: number) => (selected < countedMost ? selected : all);
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
type CountTerm = (term: number, signal: AbortSignal) => Promise<number>;

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
