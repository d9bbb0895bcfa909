import type { Deadline } from '@knowledge/runtime';
import { grantedAt, type Outcome, positionOf, type RefusalCache, refusedBy } from './decision.js';
import { keepsEveryId, type Policy, windowEnd, windowStart } from './policy.js';
import type { Charge } from './subject.js';

/** One unit to count, with its charges. */
export interface ConsumeItem {
  /** The id of the unit. The same id is counted once. */
  readonly id: string;
  /** The subject's own charge comes first, and ceilings follow. */
  readonly charges: readonly [Charge, ...Charge[]];
  /** The time when the caller of this item stops waiting. */
  readonly deadline: Deadline;
}

/** Whether one conditional write decides the item. It needs a single charge whose policy keeps every id. */
export function fitsPipeline({ charges }: ConsumeItem): boolean {
  return charges.length === 1 && keepsEveryId(charges[0].policy);
}

/** The number of granted units of a ceiling that a process stores together: a hundredth of the limit. */
export function portionSize({ limit }: Policy): number {
  return Math.floor(limit / 100);
}

/** The most units of a ceiling that a process has in memory. Each process can exceed the ceiling by this number. */
export function maxOpen(policy: Policy): number {
  return 3 * portionSize(policy);
}

/**
 * Whether portions can count the ceilings of the item. They must be ceilings of a network address, and so high that a portion
 * has more than one unit.
 */
export function fitsPortions({ charges: [own, ...ceilings] }: ConsumeItem): boolean {
  const isHigh = ({ policy }: Charge) => policy.kind === 'address' && portionSize(policy) > 1;
  return ceilings.length > 0 && keepsEveryId(own.policy) && ceilings.every(isHigh);
}

/** Removes the charges of switched-off policies from an item. Undefined if no charge is left. */
export function withCountingCharges(item: ConsumeItem): ConsumeItem | undefined {
  if (item.charges.every(isOn)) return item;
  const [first, ...rest] = item.charges.filter(isOn);
  return first && { ...item, charges: [first, ...rest] };
}

/** The result of an item whose policies are all switched off. It is granted and not counted. */
export function grantUncounted({ charges: [{ policy }] }: ConsumeItem, now: number): Outcome {
  const resetAt = windowEnd(policy.window, windowStart(policy.window, now));
  return { granted: true, allowance: { policy, remaining: 0, resetAt } };
}

/**
 * Decides an item from the cache, if possible. It refuses if a cached counter is used up, and grants if the id already
 * has a grant. A ceiling that keeps only recent ids cannot refuse here, since the subject's own counter may still have
 * the id.
 */
export function fromCache({ charges, id }: ConsumeItem, memory: RefusalCache, now: number): Outcome | undefined {
  for (const [at, charge] of charges.entries()) {
    const counter = memory.recall(charge, now);
    if (counter === undefined) continue;
    const position = positionOf(counter, id);
    if (position !== undefined) return at === 0 ? grantedAt(charge.policy, counter, position) : undefined;
    if (at === 0 || counter.count === counter.grants.length) return refusedBy(charge.policy, counter);
  }
  return undefined;
}

function isOn({ policy }: Charge) {
  return policy.limit > 0;
}

/** One turn of a caller's lease. Units that are counted under it are given back, unless the caller settles the turn. */
export interface LeaseTurn {
  readonly id: string;
  /** The number of the turn, from 1. A higher turn replaces the previous one. */
  readonly turn: number;
  /** Whether opening this turn also settles the previous one. */
  readonly settlesEarlier: boolean;
}

/** The lease and number of a turn, whether it is open or not. */
export type TurnName = Pick<LeaseTurn, 'id' | 'turn'>;

/** Ends a turn, and lists the units that nobody received. */
export interface Settlement extends TurnName {
  /** The ids of the units that nobody received. They are given back. */
  readonly undelivered: readonly string[];
}

/** A unit that was counted under a lease, with the keys of its counters. */
export interface LeasedUnit {
  readonly id: string;
  readonly keys: readonly string[];
}

export interface LeaseStore {
  /** Opens a turn before its units are counted. Changes nothing if this turn or a later one exists. */
  open(turn: LeaseTurn, units: readonly LeasedUnit[], signal: AbortSignal): Promise<void>;
  /** Settles turns. Ignores a turn that is already settled or replaced. */
  settle(settlements: readonly Settlement[], signal: AbortSignal): Promise<void>;
  /** Lists open turns. The list has a maximum length. */
  listOpen(signal: AbortSignal): Promise<TurnName[]>;
  /** Gives back each unit of an open turn once, and then deletes the turn. Returns the units. */
  giveBack(turn: TurnName, signal: AbortSignal): Promise<readonly LeasedUnit[]>;
}
