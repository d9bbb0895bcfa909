import { LRUCache } from 'lru-cache';
import type { Db, Document } from 'mongodb';
import { type ConsumeItem, ceilingReserve } from '../domain/consume-item.js';
import { counterIn, type ItemResult, maxIds, recentIds, withGrant } from '../domain/decision.js';
import { type Now, windowStart } from '../domain/policy.js';
import { undecided } from '../domain/quota.js';
import type { Charge } from '../domain/subject.js';
import { findCounters, type LastMoment, releaseUnits, type Statement, untilAnswered } from './counter-commands.js';
import type { NewSubjects } from './new-subjects.js';
import { type PipelineCommit, StoppedCommit } from './pipeline-commit.js';
import { type CounterDocument, type LeaseDocument, toDocument } from './schema.js';

interface CeilingCommitDependencies {
  db: Db;
  /** What is known about the readers. */
  newcomers: Pick<NewSubjects, 'peek'>;
  now: Now;
  lastMoment?: LastMoment | undefined;
  /** Decides items by their own charge alone, after its takes. */
  own: PipelineCommit;
  /** Opens leases by a command of its own. */
  open: (leases: readonly LeaseDocument[], signal: AbortSignal) => Promise<void>;
  /** Decides items by transaction. */
  exact: (items: readonly ConsumeItem[]) => Promise<readonly ItemResult[]>;
}

/** Decides items with a charge of the reader and a ceiling (`fitsCeiling`). It opens the leases first. */
export type CeilingCommit = (
  items: readonly ConsumeItem[],
  signal: AbortSignal,
  leases?: readonly LeaseDocument[],
) => Promise<ItemResult[]>;

/** The largest number of ceilings that are known to be near their end. */
const maxNear = 10_000;
/** A ceiling that could not be taken goes by transaction for this time. */
const nearMs = 1_000;

/**
 * One command takes the ceilings first, and then the readers' own units. A ceiling that cannot be taken ends the command
 * before the first own unit. If a reader is refused, the ceiling's unit is given back by its id. So the ceiling is never
 * exceeded, and no transaction is needed. Near the end of a ceiling, for repeated ids and for readers who seem to have
 * nothing left, the transaction decides. It counts no ceiling twice that has the id already. If the commit breaks off in
 * between, the lease gives back what was taken, and a repeated id takes only what is missing.
 */
export function createCeilingCommit({
  db,
  newcomers,
  now,
  lastMoment,
  own,
  open,
  exact,
}: CeilingCommitDependencies): CeilingCommit {
  /** Until when a ceiling goes by transaction. */
  const near = new LRUCache<string, number>({ max: maxNear });

  const toTake = ({ charge: { key, policy }, ids, items }: ItemGroup, time: number): Take => {
    const window = windowStart(policy.window, time);
    const first = ids.reduce((counter, id) => withGrant(counter, policy, id), counterIn(window, undefined));
    const end = lastMoment?.(Math.min(...items.map(({ deadline }) => deadline)));
    return { first: toDocument(key, policy, first), ids, most: policy.limit - ceilingReserve, lastMoment: end };
  };

  /** Whether a reader seems to have room for all its items. Then the ceiling seldom has to be given back. */
  const hasRoom = ({ charge: { key, policy }, ids }: ItemGroup, time: number) => {
    const known = newcomers.peek(key);
    if (known === 'stored') return false;
    const count = known === 'new' || known.window < windowStart(policy.window, time) ? 0 : known.count;
    return count + ids.length <= policy.limit;
  };

  const isFar = ({ charge: { key, policy }, ids }: ItemGroup, time: number) => {
    const until = near.get(key) ?? 0;
    const isNear = time < until && time >= until - nearMs;
    return !isNear && ids.length <= Math.min(policy.limit - ceilingReserve, maxIds);
  };

  /** The items that one command can decide. All items of a reader go the same way, so that they keep their order. */
  const quickOf = (items: readonly ConsumeItem[], time: number) => {
    const readers = groupsOf(items, ownOf).filter((reader) => hasRoom(reader, time));
    const ceilings = groupsOf(
      readers.flatMap((reader) => reader.items),
      ceilingOf,
    );
    const far = new Set(ceilings.filter((group) => isFar(group, time)).map(({ charge }) => charge.key));
    const quick = readers.filter((reader) => reader.items.every((item) => far.has(ceilingOf(item).key)));
    const keys = new Set(quick.map(({ charge }) => charge.key));
    return items.filter((item) => keys.has(ownOf(item).key));
  };

  /** Decides items by one command, or by transaction if a ceiling cannot be taken. */
  const take = async (
    items: readonly ConsumeItem[],
    time: number,
    signal: AbortSignal,
    leases: readonly LeaseDocument[],
  ): Promise<readonly ItemResult[]> => {
    const takes = groupsOf(items, ceilingOf).map((group) => toTake(group, time));
    try {
      return await own(items.map(ownOnly), signal, { leases, takes: takes.map(taking) });
    } catch (error) {
      if (!(error instanceof StoppedCommit)) throw error;
      const stopped = takes[error.take];
      if (stopped !== undefined && (await isNearEnd(stopped, signal))) near.set(stopped.first._id, time + nearMs);
      await open(leases, signal);
      return exact(items);
    }
  };

  const isNearEnd = async ({ first, ids, most }: Take, signal: AbortSignal) => {
    const counter = (await findCounters(db, [first._id], { signal })).get(first._id);
    return counter?.window !== first.window.getTime() || counter.count + ids.length > most;
  };

  /**
   * Gives back what refused items took, but nothing of an earlier window, where the same id may have been granted. If
   * that fails, they are undecided, so that their lease gives it back.
   */
  const release = async (
    unused: readonly ConsumeItem[],
    time: number,
    outcomes: Map<ConsumeItem, ItemResult>,
    signal: AbortSignal,
  ) => {
    if (unused.length === 0) return;
    const units = unused.map((item) => {
      const { key, policy } = ceilingOf(item);
      return { id: item.id, keys: [key], window: windowStart(policy.window, time) };
    });
    try {
      await untilAnswered(signal, () => releaseUnits(db, units, signal));
    } catch (error) {
      for (const item of unused) outcomes.set(item, undecided(error));
    }
  };

  return async (items, signal, leases = []) => {
    const outcomes = new Map<ConsumeItem, ItemResult>();
    const decide = async (some: readonly ConsumeItem[], by: () => Promise<readonly ItemResult[]>) => {
      if (some.length === 0) return;
      const results = await by();
      for (const [at, item] of some.entries()) outcomes.set(item, results[at] ?? undecided());
    };
    try {
      const time = now();
      const quick = quickOf(items, time);
      const isQuick = new Set(quick);
      const others = items.filter((item) => !isQuick.has(item));
      if (others.length > 0) await open(leases, signal);
      await Promise.all([
        decide(quick, () => take(quick, time, signal, others.length > 0 ? [] : leases)),
        decide(others, () => exact(others)),
      ]);
      await release(unusedOf(items, outcomes), time, outcomes, signal);
    } catch (error) {
      return items.map((item) => outcomes.get(item) ?? undecided(error));
    }
    return items.map((item) => outcomes.get(item) ?? undecided());
  };
}

function ownOnly({ charges: [own], ...item }: ConsumeItem): ConsumeItem {
  return { ...item, charges: [own] };
}

/** The items of one reader or under one ceiling. */
interface ItemGroup {
  readonly charge: Charge;
  readonly items: ConsumeItem[];
  readonly ids: readonly string[];
}

function groupsOf(items: readonly ConsumeItem[], chargeOf: (item: ConsumeItem) => Charge): ItemGroup[] {
  const groups = new Map<string, { charge: Charge; items: ConsumeItem[] }>();
  for (const item of items) {
    const charge = chargeOf(item);
    const group = groups.get(charge.key);
    if (group === undefined) groups.set(charge.key, { charge, items: [item] });
    else group.items.push(item);
  }
  return Array.from(groups.values(), (group) => ({ ...group, ids: [...new Set(group.items.map(({ id }) => id))] }));
}

/** The refused items. An id that was also granted stays. What is undecided may count, so the lease decides it. */
function unusedOf(items: readonly ConsumeItem[], outcomes: ReadonlyMap<ConsumeItem, ItemResult>) {
  const name = (item: ConsumeItem) => `${item.id} ${ceilingOf(item).key}`;
  const isRefused = (item: ConsumeItem) => {
    const outcome = outcomes.get(item);
    return outcome !== undefined && !(outcome instanceof Error) && !outcome.granted;
  };
  const kept = new Set(items.filter((item) => !isRefused(item)).map(name));
  return items.filter((item) => isRefused(item) && !kept.has(name(item)));
}

function ownOf({ charges }: ConsumeItem) {
  return charges[0];
}

function ceilingOf({ charges }: ConsumeItem) {
  return charges[1] as Charge;
}

/** New ids for the counter of a ceiling, which keeps a count and its recent ids. */
interface Take {
  /** The counter with these ids alone, for the first use in its window. */
  readonly first: CounterDocument;
  /** At most `maxIds`. */
  readonly ids: readonly string[];
  /** The count may not exceed this. */
  readonly most: number;
  /** After this moment by the server's clock nothing is added. */
  readonly lastMoment: Date | undefined;
}

/**
 * Adds ids to the counter of a ceiling. It fails, and so stops an ordered command, if the counter has a newer window, not
 * enough room or one of the ids, or if it is too late. Its document would then be invalid.
 */
function taking({ first, ids, most, lastMoment }: Take): Statement {
  const { _id, window } = first;
  const literal = { $literal: [...ids] };
  const total = { $add: [{ $max: [{ $ifNull: ['$count', 0] }, { $size: '$grants' }] }, ids.length] };
  const all = { $concatArrays: ['$grants', literal] };
  const recent = { $slice: [all, -Math.max(recentIds, ids.length)] };
  const grants = { $cond: [{ $lte: [{ $size: all }, maxIds] }, all, recent] };
  // As everywhere, the count is stored only if the ids do not say it.
  const count = { $cond: [{ $gt: [total, { $size: grants }] }, total, '$$REMOVE'] };
  const fits: Document[] = [
    { $eq: ['$window', window] },
    { $lte: [total, most] },
    { $eq: [{ $size: { $setIntersection: ['$grants', literal] } }, 0] },
  ];
  const another = { $mergeObjects: ['$$ROOT', { grants, count }] };
  // A new document has no window, which is less than any date.
  const isFirst = { $lt: ['$window', window] };
  const counted = { $cond: [isFirst, { $literal: first }, { $cond: [{ $and: fits }, another, invalid] }] };
  const inTime = lastMoment === undefined ? counted : { $cond: [{ $gt: ['$$NOW', lastMoment] }, invalid, counted] };
  return { q: { _id }, u: [{ $replaceWith: inTime }], upsert: true };
}

/** A document that the validator of the collection refuses. */
const invalid = { $mergeObjects: ['$$ROOT', { grants: null }] };
