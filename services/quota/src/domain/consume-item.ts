import type { Deadline } from '@knowledge/runtime';
import { positionOf } from './counter.js';
import { grantedAt, type Outcome, refusedBy } from './decision.js';
import { keepsEveryId, windowEnd, windowStart } from './policy.js';
import type { RefusalCache } from './refusal-cache.js';
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

/** Whether one conditional write can decide the item. It needs a single charge whose policy keeps every id. */
export function fitsPipeline({ charges }: ConsumeItem): boolean {
  return charges.length === 1 && keepsEveryId(charges[0].policy);
}

/**
 * The units of a ceiling that only transactions give out. Other consumes take the ceiling first and give it back if the
 * reader is refused. So for a moment they may hold units that belong to others, but never the last ones.
 */
export const ceilingReserve = 64;

/**
 * Whether the ceiling can be taken before the reader's own unit. The own policy must keep every id, and the ceiling must
 * be so high that its reserve is a small part of it.
 */
export function fitsCeiling({ charges: [own, ceiling, ...others] }: ConsumeItem): boolean {
  if (ceiling === undefined || others.length > 0 || !keepsEveryId(own.policy)) return false;
  return ceiling.policy.limit >= 2 * ceilingReserve;
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

function isOn({ policy }: Charge): boolean {
  return policy.limit > 0;
}
