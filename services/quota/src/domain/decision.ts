import type { KnowledgeError } from '@knowledge/runtime';
import { LRUCache } from 'lru-cache';
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

  const has = ([, counter]: [Charge, Counter]) => positionOf(counter, id) !== undefined;
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

/** The units granted to one subject under one policy in one window. */
export interface Counter {
  /** The start of the window, in milliseconds since 1970. It never moves back. */
  readonly window: number;
  /** The number of granted units. */
  readonly count: number;
  /** The granted ids in order: all of them, or only the most recent ones. */
  readonly grants: readonly string[];
}

/** The least number of recent ids in a counter that does not keep all ids. A retry with an older id is counted again. */
const recentIds = 100;

/** With more ids than this, such a counter is cut to its recent ids. So most writes only append an id. */
export const maxIds = 2 * recentIds;

/** Returns the stored counter, or an empty one if the stored window is older. A newer stored window stays. */
export function counterIn(window: number, stored: Counter | undefined): Counter {
  return stored !== undefined && stored.window >= window ? stored : { window, count: 0, grants: [] };
}

/** Returns the counter with one more grant. */
export function withGrant(counter: Counter, policy: Policy, id: string): Counter {
  const grants = [...counter.grants, id];
  return {
    window: counter.window,
    count: counter.count + 1,
    grants: keepsEveryId(policy) || grants.length <= maxIds ? grants : grants.slice(-recentIds),
  };
}

/** The position of an id among the grants of the window, from 1. Undefined if the counter does not have the id. */
export function positionOf(counter: Counter, id: string): number | undefined {
  const index = counter.grants.indexOf(id);
  return index === -1 ? undefined : counter.count - counter.grants.length + index + 1;
}

/** Whether the limit is reached. The count may exceed a limit that was lowered later. */
export function isUsedUp(counter: Counter, policy: Policy): boolean {
  return counter.count >= policy.limit;
}

/** The time for which a refusal is cached. After this time a reset in another process is visible here. */
const cachedMs = 5000;

/** This is enough for about 35,000 readers without a token. The least recently used entries are dropped first. */
const maxCachedBytes = 16 * 2 ** 20;

/** The bytes of an entry without its strings, and of a string without its characters. */
const overhead = { entry: 160, text: 32 };

interface CachedCounter {
  readonly counter: Counter;
  readonly seenAt: number;
}

/**
 * Caches used-up counters, so that many refusals need no database. Their granted ids are cached too, so that a retry of
 * such an id is granted.
 */
export class RefusalCache {
  private readonly held = new LRUCache<string, CachedCounter>({ maxSize: maxCachedBytes, sizeCalculation: bytesOf });
  private current = 0;

  /** Increases at each reset. A counter that was read before a reset must not be cached after it. */
  get generation(): number {
    return this.current;
  }

  /** The counter of a charge, if it was used up within the last 5 s. Undefined if its window has ended or its limit grew. */
  recall({ key, policy }: Charge, now: number): Counter | undefined {
    const held = this.held.get(key);
    if (held === undefined) return undefined;
    const age = now - held.seenAt;
    // If the clock was set back, the age is negative, and the entry is dropped.
    const isNew = age >= 0 && age < cachedMs && windowStart(policy.window, now) <= held.counter.window;
    if (isNew && isUsedUp(held.counter, policy)) return held.counter;
    this.held.delete(key);
    return undefined;
  }

  /** Caches a used-up counter, unless a reset happened after it was read. */
  remember({ key, policy }: Charge, counter: Counter, now: number, generation: number): void {
    if (generation === this.current && isUsedUp(counter, policy)) this.held.set(key, { counter, seenAt: now });
  }

  /** Drops the counters that a reset emptied. */
  forget(keys: readonly string[]): void {
    this.current++;
    for (const key of keys) this.held.delete(key);
  }
}

// Counters have very different sizes. With a high limit a counter has a hundred ids of up to 64 characters.
function bytesOf({ counter }: CachedCounter, key: string) {
  const texts = [key, ...counter.grants];
  return texts.reduce((bytes, text) => bytes + overhead.text + Buffer.byteLength(text), overhead.entry);
}
