import type { KnowledgeError } from '@knowledge/runtime';
import { type Counter, counterIn, isUsedUp, positionOf, withGrant } from './counter.js';
import { keepsEveryId, type Policy, windowEnd, windowStart } from './policy.js';
import type { Charge } from './subject.js';

/** The number of units that a subject has left under a policy. */
export interface Allowance {
  readonly policy: Policy;
  /** The units that are left, never negative. For a grant, the number right after it. */
  readonly remaining: number;
  /** The start of the next window, in milliseconds since 1970. */
  readonly resetAt: number;
}

/** The decision about one item. A granted item is counted, a refused one is not. */
export interface Outcome {
  readonly granted: boolean;
  /** The allowance of the first charge if granted. If refused, that of the charge that is used up. */
  readonly allowance: Allowance;
}

/** The outcome of one item, or the error that prevented a decision. An outage is an error and not a refusal. */
export type ItemResult = Outcome | KnowledgeError;

/** An outcome and the counters that it changes, by key. */
interface OutcomeWithCounters {
  readonly outcome: Outcome;
  readonly changed: ReadonlyMap<string, Counter>;
}

/**
 * Takes one unit of each charge, or none. If the own counter already has the id, the item is granted again without
 * counting. So a retry is safe even if a ceiling has dropped the id from its recent ids. A ceiling that has the id alone
 * is not counted again, but the own counter is: the ceiling may have been taken first, by an attempt that broke off. An
 * own counter that keeps only recent ids proves nothing, so any counter with the id is enough there.
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

  const has = ([, counter]: [Charge, Counter]): boolean => positionOf(counter, id) !== undefined;
  const [first] = current as [[Charge, Counter]];
  if (has(first) || (!keepsEveryId(own.policy) && current.some(has))) {
    return {
      outcome: grantedAt(own.policy, ownCounter, positionOf(ownCounter, id) ?? ownCounter.count),
      changed: none,
    };
  }
  const missing = current.filter((each) => !has(each));
  const full = missing.find(([{ policy }, counter]) => isUsedUp(counter, policy));
  if (full !== undefined) return { outcome: refusedBy(full[0].policy, full[1]), changed: none };

  const changed = new Map(missing.map(([{ policy, key }, counter]) => [key, withGrant(counter, policy, id)]));
  return { outcome: grantedAt(own.policy, ownCounter, ownCounter.count + 1), changed };
}

/** Makes the outcome for a grant at this position in the window. */
export function grantedAt(policy: Policy, { window }: Pick<Counter, 'window'>, position: number): Outcome {
  return { granted: true, allowance: allowanceAfter(policy, window, position) };
}

/** Makes the outcome for a refusal, since the window is used up. */
export function refusedBy(policy: Policy, { window }: Pick<Counter, 'window'>): Outcome {
  return { granted: false, allowance: allowanceAfter(policy, window, policy.limit) };
}

/** The allowance of a subject under a policy. It takes no unit. */
export function allowanceOf(policy: Policy, stored: Counter | undefined, now: number): Allowance {
  const { window, count } = counterIn(windowStart(policy.window, now), stored);
  return allowanceAfter(policy, window, count);
}

const none: ReadonlyMap<string, Counter> = new Map();

function allowanceAfter(policy: Policy, window: number, count: number): Allowance {
  return { policy, remaining: Math.max(0, policy.limit - count), resetAt: windowEnd(policy.window, window) };
}
