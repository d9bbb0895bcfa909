import { isOutage } from '@knowledge/runtime';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { Charge } from '../domain/charge.js';
import { type ConsumeItem, ceilingReserve } from '../domain/consume-item.js';
import { counterIn, maxIds, withGrant } from '../domain/counter.js';
import type { ItemResult } from '../domain/decision.js';
import { undecided } from '../domain/quota.js';
import { type Now, windowStart } from '../domain/window.js';
import { type Take, takeEach } from './ceiling-take.js';
import { findCounters, insertEach, releaseUnits } from './counter-commands.js';
import { toDocument } from './counter-document.js';
import type { NewSubjects } from './new-subjects.js';
import type { Commit } from './pipeline-commit.js';
import type { ServerClock } from './server-clock.js';
import { untilAnswered } from './until-answered.js';

export interface CeilingCommitDependencies {
  db: Db;
  /** What is known about the readers. */
  newcomers: Pick<NewSubjects, 'peek'>;
  now: Now;
  clock?: Pick<ServerClock, 'lastMoment'> | undefined;
  /** Decides items by their own charge alone. */
  own: Commit;
  /** Decides items by transaction. */
  exact: (items: readonly ConsumeItem[]) => Promise<readonly ItemResult[]>;
}

/** Decides items with a charge of the reader and a ceiling (`fitsCeiling`). */
export type CeilingCommit = Commit;

/** The largest number of ceilings about which something is known. */
const maxKnown = 10_000;
/** A ceiling that could not be taken goes by transaction for this time. */
const nearMs = 1_000;

/**
 * Takes the ceiling first, then the reader's own unit. If the reader is refused, it gives back the ceiling's unit by
 * its id. So the ceiling is never exceeded, and no transaction is needed. Near the end of a ceiling, for repeated ids and
 * for readers who seem to have nothing left, the transaction decides. It counts no ceiling twice that has the id already.
 * If the commit breaks off in between, the lease gives back what was taken, and a repeated id takes only what is missing.
 */
export function createCeilingCommit({
  db,
  newcomers,
  now,
  clock,
  own,
  exact,
}: CeilingCommitDependencies): CeilingCommit {
  /** The ceilings that have a counter, and until when they go by transaction. */
  const known = new LRUCache<string, number>({ max: maxKnown });

  const take = async (groups: readonly ItemGroup[], time: number, signal: AbortSignal): Promise<ItemGroup[]> => {
    if (groups.length === 0) return [];
    const takes = groups.map((group) => toTake(group, time));
    if (await takeEach(db, takes, signal)) return [...groups];
    const counters = await findCounters(
      db,
      groups.map(({ charge }) => charge.key),
      { signal },
    );
    for (const { key, window, ids, most } of takes) {
      const counter = counters.get(key);
      if (counter?.window !== window || counter.count + ids.length > most) known.set(key, time + nearMs);
    }
    return [];
  };

  const insert = async (groups: readonly ItemGroup[], time: number, signal: AbortSignal): Promise<ItemGroup[]> => {
    if (groups.length === 0) return [];
    const documents = groups.map(({ charge: { key, policy }, ids }) => {
      const window = windowStart(policy.window, time);
      return toDocument(
        key,
        policy,
        ids.reduce((counter, id) => withGrant(counter, policy, id), counterIn(window, undefined)),
      );
    });
    const { failed } = await insertEach(db, documents, signal);
    return groups.filter((_, at) => !failed.has(at));
  };

  const toTake = ({ charge: { key, policy }, ids, items }: ItemGroup, time: number): Take => ({
    ...{ key, ids, window: windowStart(policy.window, time), most: policy.limit - ceilingReserve },
    lastMoment: clock?.lastMoment(Math.min(...items.map(({ deadline }) => deadline))),
  });

  /** Whether a reader seems to have room for all its items. Then the ceiling seldom has to be given back. */
  const hasRoom = ({ charge: { key, policy }, ids }: ItemGroup, time: number): boolean => {
    const known = newcomers.peek(key);
    if (known === 'stored') return false;
    const count = known === 'new' || known.window < windowStart(policy.window, time) ? 0 : known.count;
    return count + ids.length <= policy.limit;
  };

  /** Returns the items whose ceiling was surely taken. */
  const takeCeilings = async (
    items: readonly ConsumeItem[],
    time: number,
    signal: AbortSignal,
  ): Promise<ReadonlySet<ConsumeItem>> => {
    const fresh: ItemGroup[] = [];
    const stored: ItemGroup[] = [];
    const readers = groupsOf(items, ownOf).filter((reader) => hasRoom(reader, time));
    for (const group of groupsOf(
      readers.flatMap(({ items }) => items),
      ceilingOf,
    )) {
      const { key, policy } = group.charge;
      const until = known.get(key);
      if (group.ids.length > Math.min(policy.limit - ceilingReserve, maxIds)) continue;
      if (until === undefined) fresh.push(group);
      else if (time >= until || time < until - nearMs) stored.push(group);
    }
    for (const { charge } of fresh) known.set(charge.key, 0);
    try {
      const taken = await Promise.all([insert(fresh, time, signal), take(stored, time, signal)]);
      return new Set(taken.flat().flatMap(({ items }) => items));
    } catch (error) {
      if (!isOutage(error)) throw error;
      // What was written is unknown. The transaction sees it, and takes only what is missing.
      return new Set();
    }
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
  ): Promise<void> => {
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

  return async (items, signal) => {
    const outcomes = new Map<ConsumeItem, ItemResult>();
    const decide = async (some: readonly ConsumeItem[], by: () => Promise<readonly ItemResult[]>): Promise<void> => {
      if (some.length === 0) return;
      const results = await by();
      for (const [at, item] of some.entries()) outcomes.set(item, results[at] ?? undecided());
    };
    try {
      const time = now();
      const taken = await takeCeilings(items, time, signal);
      // All items of a reader go the same way, so that they keep their order.
      const slow = new Set(items.filter((item) => !taken.has(item)).map(({ charges: [{ key }] }) => key));
      const quick = items.filter(({ charges: [{ key }] }) => !slow.has(key));
      const others = items.filter(({ charges: [{ key }] }) => slow.has(key));
      await Promise.all([decide(quick, () => own(quick.map(ownOnly), signal)), decide(others, () => exact(others))]);
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
function unusedOf(items: readonly ConsumeItem[], outcomes: ReadonlyMap<ConsumeItem, ItemResult>): ConsumeItem[] {
  const name = (item: ConsumeItem): string => `${item.id} ${ceilingOf(item).key}`;
  const isRefused = (item: ConsumeItem): boolean => {
    const outcome = outcomes.get(item);
    return outcome !== undefined && !(outcome instanceof Error) && !outcome.granted;
  };
  const kept = new Set(items.filter((item) => !isRefused(item)).map(name));
  return items.filter((item) => isRefused(item) && !kept.has(name(item)));
}

function ownOf({ charges }: ConsumeItem): Charge {
  return charges[0];
}

function ceilingOf({ charges }: ConsumeItem): Charge {
  return charges[1] as Charge;
}
