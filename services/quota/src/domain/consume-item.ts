import type { Deadline } from '@knowledge/runtime';
import type { Charge } from './charge.js';
import { grantedAt, type Outcome, refusedBy } from './decision.js';
import { keepsEveryId } from './policy.js';
import type { RefusalMemory } from './refusal-memory.js';
import { positionOf } from './tally.js';
import { windowEnd, windowStart } from './window.js';

/** One unit of work to count. */
export interface ConsumeItem {
  /** Names the unit: the same id is counted once. */
  readonly id: string;
  /** The subject's own charge first, then a ceiling. */
  readonly charges: readonly [Charge, ...Charge[]];
  /** When its caller stops waiting. */
  readonly deadline: Deadline;
}

/** Whether one conditional write decides the item: a single charge, under a policy that keeps every id. */
export function isSingle({ charges }: ConsumeItem): boolean {
  return charges.length === 1 && keepsEveryId(charges[0].policy);
}

/** The item with the charges that count; undefined if every one of its policies is switched off. */
export function countedPart(item: ConsumeItem): ConsumeItem | undefined {
  if (item.charges.every(isOn)) return item;
  const [first, ...rest] = item.charges.filter(isOn);
  return first && { ...item, charges: [first, ...rest] };
}

/** The answer to an item of which nothing counts. */
export function uncounted({ charges: [{ policy }] }: ConsumeItem, now: number): Outcome {
  const resetAt = windowEnd(policy.window, windowStart(policy.window, now));
  return { granted: true, allowance: { policy, remaining: 0, resetAt } };
}

/**
 * The answer to an item that the memory alone gives: refused where a charge was seen used up, granted where the id is seen to
 * hold a grant. A ceiling that keeps only recent ids says nothing about an older retry, which the own charge still knows.
 */
export function fromMemory({ charges, id }: ConsumeItem, memory: RefusalMemory, now: number): Outcome | undefined {
  for (const [at, charge] of charges.entries()) {
    const tally = memory.recall(charge, now);
    if (tally === undefined) continue;
    const position = positionOf(tally, id);
    if (position !== undefined) return at === 0 ? grantedAt(charge.policy, tally, position) : undefined;
    if (at === 0 || tally.count === tally.grants.length) return refusedBy(charge.policy, tally);
  }
  return undefined;
}

function isOn({ policy }: Charge): boolean {
  return policy.limit > 0;
}
