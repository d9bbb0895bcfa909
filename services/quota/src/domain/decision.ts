import type { KnowledgeError } from '@knowledge/runtime';
import type { Charge } from './charge.js';
import type { Policy } from './policy.js';
import { isUsedUp, positionOf, type Tally, tallyIn, withGrant } from './tally.js';
import { windowEnd, windowStart } from './window.js';

/** How much of a policy a subject has left. */
export interface Allowance {
  readonly policy: Policy;
  /** Never negative. Of a grant: what was left right after it. */
  readonly remaining: number;
  /** When the next window begins, milliseconds since the epoch. */
  readonly resetAt: number;
}

/** The result of the rule: granted and counted, or refused and nothing counted. */
export interface Outcome {
  readonly granted: boolean;
  /** Of the first charge if granted, else of the charge that has nothing left. */
  readonly allowance: Allowance;
}

/** What became of one item: its outcome, or why there is none. An outage is not a refusal. */
export type ItemResult = Outcome | KnowledgeError;

/** What a rule decides: an outcome, and the tallies that it changes by key. */
export interface OutcomeWithTallies {
  readonly outcome: Outcome;
  readonly changed: ReadonlyMap<string, Tally>;
}

/**
 * The rule of counting: one unit of each charge, or none. An id that holds a grant of any of its charges was granted as a
 * whole before and is granted again at no cost, so even one that a long list of recent ids has lost since is safe as long as
 * the other list has it.
 */
export function decide(
  charges: readonly [Charge, ...Charge[]],
  stored: ReadonlyMap<string, Tally>,
  id: string,
  now: number,
): OutcomeWithTallies {
  const current = charges.map((charge): [Charge, Tally] => {
    const { policy, key } = charge;
    return [charge, tallyIn(windowStart(policy.window, now), stored.get(key))];
  });
  const [[own, ownTally]] = current as [[Charge, Tally]];

  if (current.some(([, tally]) => positionOf(tally, id) !== undefined)) {
    return { outcome: grantedAt(own.policy, ownTally, positionOf(ownTally, id) ?? ownTally.count), changed: none };
  }
  const full = current.find(([{ policy }, tally]) => isUsedUp(tally, policy));
  if (full !== undefined) return { outcome: refusedBy(full[0].policy, full[1]), changed: none };

  const changed = new Map(current.map(([{ policy, key }, tally]) => [key, withGrant(tally, policy, id)]));
  return { outcome: grantedAt(own.policy, ownTally, ownTally.count + 1), changed };
}

/** Granted as the so-manyth of its window. */
export function grantedAt(policy: Policy, { window }: Pick<Tally, 'window'>, position: number): Outcome {
  return { granted: true, allowance: allowanceAfter(policy, window, position) };
}

/** Refused because the window holds as much as it may. */
export function refusedBy(policy: Policy, { window }: Pick<Tally, 'window'>): Outcome {
  return { granted: false, allowance: allowanceAfter(policy, window, policy.limit) };
}

/** What is left without taking anything: all of it for a subject that is untouched. */
export function allowanceOf(policy: Policy, stored: Tally | undefined, now: number): Allowance {
  const { window, count } = tallyIn(windowStart(policy.window, now), stored);
  return allowanceAfter(policy, window, count);
}

const none: ReadonlyMap<string, Tally> = new Map();

function allowanceAfter(policy: Policy, window: number, count: number): Allowance {
  return { policy, remaining: Math.max(0, policy.limit - count), resetAt: windowEnd(policy.window, window) };
}
