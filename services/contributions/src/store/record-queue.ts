import { type CallContext, idRange, type Site, toListPage } from '@knowledge/runtime';
import type { ContributionState, ContributionType } from '@knowledge/runtime/product';
import { LRUCache } from 'lru-cache';
import type { Db, Filter, FindOptions } from 'mongodb';
import { purposeTerms } from '../domain/search-terms.js';
import type { AuthorizationStore } from './authorizations.js';
import { type ContributionDocument, contributionsOf, leftOutOfLists, toRecords } from './contribution-document.js';
import {
  type ChosenIndex,
  cellsOf,
  chooseIndex,
  countedMost,
  countUpTo,
  createTermCounter,
  inQueue,
  positionOf,
  type RecordFilter,
  type RecordOrder,
  type RecordPosition,
  rangesAfter,
  sentIn,
  sortOf,
} from './record-filter.js';

export interface RecordPage {
  readonly order: RecordOrder;
  readonly size: number;
  readonly after: RecordPosition | undefined;
}

/** How many candidates of a search are read for its counts. */
const examinedMost = 2_000;

/** How many contributions of a state, type and site there are. */
interface RecordCount {
  state: ContributionState;
  type: ContributionType;
  site: Site;
  count: number;
}

/** Lists and counts contributions for moderators, never those of an erased person. */
export function createRecordQueue(db: Db, { ends }: Pick<AuthorizationStore, 'ends'>, groups: Groups) {
  const contributions = contributionsOf(db);
  const countTerm = createTermCounter(contributions);
  const groupOf = async ({ group }: RecordFilter, signal: AbortSignal): Promise<Filter<ContributionDocument>> => {
    if (group === 'none') return inNoGroup(await groups.read(signal));
    return group === undefined ? {} : inGroup(group);
  };

  return {
    async list(filter: RecordFilter, { order, size, after }: RecordPage, { signal }: CallContext) {
      const index = await chooseIndex(contributions, countTerm, filter, order, size, signal);
      if (index === undefined) return { items: [], next: undefined };
      const group = await groupOf(filter, signal);
      const ranges = rangesAfter(order, after);
      const found: ContributionDocument[] = [];
      // Without the order of the index, each range would be read and sorted whole, so all are read at once.
      for (const range of index.sorted ? ranges : [{ $or: ranges }]) {
        const left = size + 1 - found.length;
        const options = { ...optionsOf(index, signal), sort: sortOf[order], limit: left };
        found.push(...(await contributions.find(filterOf(filter, index, { ...range, ...group }), options).toArray()));
        if (found.length > size) break;
      }
      const page = toListPage(found, size, positionOf);
      return { items: await toRecords(page.items, ends, signal), next: page.next };
    },

    /**
     * Counts by state, type and site. `atLeast` says that there are more, because each count ends at 10,000, and of a
     * search only the first 2,000 candidates are read.
     */
    async count(filter: RecordFilter, { signal }: CallContext) {
      const { terms, email, idPrefix, purpose, group: key } = filter;
      if (terms.length === 0 && [email, idPrefix, purpose, key].every((each) => each === undefined)) {
        return countCells(filter, signal);
      }
      const index = await chooseIndex(contributions, countTerm, filter, 'oldest', countedMost, signal);
      if (index === undefined) return { counts: [], atLeast: false };
      const group = await groupOf(filter, signal);
      const candidates = candidatesOf(filter, index, group);
      const selected = index.selected ?? (await countUpTo(contributions, candidates, index.hint, signal));
      const rest = filterOf(filter, index, group);
      const atLeast = selected >= examinedMost;
      const counts = await contributions
        .aggregate<{ _id: Omit<RecordCount, 'count'>; count: number }>(
          [
            // A limit between two conditions makes the server convert each document, so it stands only where it is needed.
            ...(atLeast
              ? [{ $match: candidates }, { $limit: examinedMost }, { $match: rest }]
              : [{ $match: { $and: [candidates, rest] } }]),
            { $group: { _id: { state: '$state', type: '$type', site: '$site' }, count: { $sum: 1 } } },
          ],
          { signal, hint: index.hint },
        )
        .toArray();
      return { counts: counts.map(({ _id, count }) => ({ ..._id, count })), atLeast };
    },
  };

  /** Counts index entries only. Each state, type and site is counted alone, so none hides another. */
  async function countCells(filter: RecordFilter, signal: AbortSignal) {
    const { states, types, sites } = cellsOf(filter);
    const counts: RecordCount[] = [];
    for (const state of states) {
      const cells = types.flatMap((type) => sites.map((site) => ({ state, type, site })));
      const count = async (cell: (typeof cells)[0]): Promise<RecordCount> => ({
        ...cell,
        count: await countUpTo(contributions, { ...cell, ...sentIn(filter) }, 'queue_by_age', signal),
      });
      counts.push(...(await Promise.all(cells.map(count))));
    }
    return {
      counts: counts.filter(({ count }) => count > 0),
      atLeast: counts.some(({ count }) => count >= countedMost),
    };
  }
}

export type RecordQueue = ReturnType<typeof createRecordQueue>;

function optionsOf(index: ChosenIndex, signal: AbortSignal): FindOptions & { signal: AbortSignal } {
  // Bounds select the rarest term; the server would choose among all terms of the filter.
  const bounds = index.term === undefined ? {} : { min: { terms: index.term }, max: { terms: index.term + 1 } };
  return { signal, hint: index.hint, ...bounds, projection: leftOutOfLists };
}

function candidatesOf(
  filter: RecordFilter,
  { hint, term }: ChosenIndex,
  group: Filter<ContributionDocument>,
): Filter<ContributionDocument> {
  if (term !== undefined) return { terms: term };
  if (filter.email !== undefined) return { email: filter.email };
  if (hint === 'own' || hint === 'waves' || hint === 'authorization') return group;
  return hint === '_id_' ? { _id: idRange(filter.idPrefix as string) } : inQueue(filter);
}

function filterOf(
  filter: RecordFilter,
  { term }: ChosenIndex,
  range: Filter<ContributionDocument>,
): Filter<ContributionDocument> {
  const { email, idPrefix, requestId, terms, purpose } = filter;
  // Its term only leads to it: a text that was just sent has no terms yet.
  const known = [term, ...purposeTerms(purpose)];
  const rest = terms.filter((each) => !known.includes(each)).map((each) => ({ terms: each }));
  return {
    $and: [
      inQueue(filter),
      range,
      { erased: { $exists: false } },
      ...(purpose === undefined ? [] : [{ purpose }]),
      ...(email === undefined ? [] : [{ email }]),
      ...(idPrefix === undefined ? [] : [{ _id: idRange(idPrefix) }]),
      ...(requestId === undefined ? [] : [{ 'history.requestId': requestId }]),
      ...rest,
    ],
  };
}

/** Contributions that wait for review and have something in common. */
export interface ContributionGroup {
  /** The kind and the value, for example `link:example.org`. */
  readonly key: string;
  readonly contributions: number;
  readonly humans: number;
  /** When the last of them came or changed. */
  readonly latest: Date;
}

/** Fewer have nothing in common that a moderator wants to know. */
const least = 5;
const mostGroups = 1_000;
const mostRead = 5_000;

/** Counts what the newest 5,000 waiting contributions have in common, in one query. */
export function createGroups(db: Db) {
  const contributions = contributionsOf(db);
  const agent = { $concat: ['agent:', '$authorizationId'] };
  const fields = { humans: { $addToSet: '$email' }, latest: { $max: '$updatedAt' } };
  const human = { $concat: ['human:', '$email'] };
  const known = new LRUCache<string, ContributionGroup[]>({ max: 1, ttl: 3_000 });
  let forgotten = 0;
  const count = (signal: AbortSignal) =>
    contributions
      .aggregate<ContributionGroup>(
        [
          { $match: { state: 'pending_review', held: null, erased: { $exists: false } } },
          { $sort: { submittedAt: -1 } },
          { $limit: mostRead },
          {
            $project: { email: 1, updatedAt: 1, key: { $concatArrays: [{ $ifNull: ['$waves', []] }, [agent, human]] } },
          },
          { $unwind: '$key' },
          { $group: { _id: '$key', contributions: { $sum: 1 }, ...fields } },
          { $match: { contributions: { $gte: least } } },
          { $project: { _id: 0, key: '$_id', contributions: 1, latest: 1, humans: { $size: '$humans' } } },
          { $sort: { contributions: -1, humans: -1, key: 1 } },
          { $limit: mostGroups },
        ],
        { signal, hint: 'oldest_by_state' },
      )
      .toArray();
  return {
    /** Every page of the queue asks for them, so an answer counts for some seconds. */
    async read(signal: AbortSignal) {
      const stored = known.get('');
      if (stored !== undefined) return stored;
      const begun = forgotten;
      const groups = await count(signal);
      if (begun === forgotten) known.set('', groups);
      return groups;
    },
    /** Counts anew at the next question. What is being counted may lack the last decision. */
    forget() {
      forgotten += 1;
      known.clear();
    },
  };
}

export type Groups = ReturnType<typeof createGroups>;

/** Which contributions are of a group. */
function inGroup(key: string): Filter<ContributionDocument> {
  const value = key.slice(key.indexOf(':') + 1);
  if (key.startsWith('human:')) return { email: value };
  return key.startsWith('agent:') ? { authorizationId: value } : { waves: key };
}

/** Which contributions are held by nobody, and share no link, domain, network or text with these groups. */
function inNoGroup(groups: readonly ContributionGroup[]): Filter<ContributionDocument> {
  return { held: null, waves: { $nin: groups.map(({ key }) => key) } };
}
