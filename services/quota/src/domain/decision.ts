import type { KnowledgeError } from '@knowledge/runtime';
import type { Charge } from './charge.js';
import { type Counter, counterIn, isUsedUp, positionOf, withGrant } from './counter.js';
import type { Policy } from './policy.js';
import { windowEnd, windowStart } from './window.js';

/** How much of a policy a subject has left. */
export interface Allowance {
  readonly policy: Policy;
  /** Never negative. For a grant: what was left right after it. */
  readonly remaining: number;
  /** When the next window begins, milliseconds since the epoch. */
  readonly resetAt: number;
}

/** Granted and counted, or refused and not counted. */
export interface Outcome {
  readonly granted: boolean;
  /** The allowance of the first charge if granted, else of the one that is used up. */
  readonly allowance: Allowance;
}

/** The outcome of one item, or the error why there is none. An outage is not a refusal. */
export type ItemResult = Outcome | KnowledgeError;

/** An outcome, and the counters that it changes by key. */
export interface OutcomeWithCounters {
  readonly outcome: Outcome;
  readonly changed: ReadonlyMap<string, Counter>;
}

/**
 * Takes one unit of each charge, or none. An id with a grant under any of its charges was granted before, and is
 * granted again at no cost. So a retry is safe even if one of two counters has dropped the id from its recent ids.
 */
export function decide(
  charges: readonly [Charge, ...Charge[]],
  stored: ReadonlyMap<string, Counter>,
  id: string,
  now: number,
): OutcomeWithCounters {
  const current = charges.map((charge): [Charge, Counter] => {
    const { policy, key } = charge;
    return [charge, counterIn(windowStart(policy.window, now), stored.get(key))];
  });
  const [[own, ownCounter]] = current as [[Charge, Counter]];

  if (current.some(([, counter]) => positionOf(counter, id) !== undefined)) {
    return {
      outcome: grantedAt(own.policy, ownCounter, positionOf(ownCounter, id) ?? ownCounter.count),
      changed: none,
    };
  }
  const full = current.find(([{ policy }, counter]) => isUsedUp(counter, policy));
  if (full !== undefined) return { outcome: refusedBy(full[0].policy, full[1]), changed: none };

  const changed = new Map(current.map(([{ policy, key }, counter]) => [key, withGrant(counter, policy, id)]));
  return { outcome: grantedAt(own.policy, ownCounter, ownCounter.count + 1), changed };
}

/** A grant with its number within the window. */
export function grantedAt(policy: Policy, { window }: Pick<Counter, 'window'>, position: number): Outcome {
  return { granted: true, allowance: allowanceAfter(policy, window, position) };
}

/** A refusal because the window is used up. */
export function refusedBy(policy: Policy, { window }: Pick<Counter, 'window'>): Outcome {
  return { granted: false, allowance: allowanceAfter(policy, window, policy.limit) };
}

/** What is left of a policy, without taking a unit. */
export function allowanceOf(policy: Policy, stored: Counter | undefined, now: number): Allowance {
  const { window, count } = counterIn(windowStart(policy.window, now), stored);
  return allowanceAfter(policy, window, count);
}

const none: ReadonlyMap<string, Counter> = new Map();

function allowanceAfter(policy: Policy, window: number, count: number): Allowance {
  return { policy, remaining: Math.max(0, policy.limit - count), resetAt: windowEnd(policy.window, window) };
}
