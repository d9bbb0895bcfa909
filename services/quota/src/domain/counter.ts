import { keepsEveryId, type Policy } from './policy.js';

/** The grants of one subject under one policy in one window. */
export interface Counter {
  /** The start of the window, in milliseconds since the epoch. It never goes back. */
  readonly window: number;
  /** How many were granted. */
  readonly count: number;
  /** The granted ids in order: all of them, or the most recent ones. */
  readonly grants: readonly string[];
}

/** How many recent ids a counter keeps when it does not keep all. An older retry counts again. */
const recentIds = 100;

/** The counter for a window: the stored one, or an empty one if that is of an older window. A newer one stays. */
export function counterIn(window: number, stored: Counter | undefined): Counter {
  return stored !== undefined && stored.window >= window ? stored : { window, count: 0, grants: [] };
}

/** The counter with one grant more. */
export function withGrant(counter: Counter, policy: Policy, id: string): Counter {
  const grants = [...counter.grants, id];
  return {
    window: counter.window,
    count: counter.count + 1,
    grants: keepsEveryId(policy) ? grants : grants.slice(-recentIds),
  };
}

/** The number of an id's grant in its window, from 1. Undefined if the id has none, or has been dropped. */
export function positionOf(counter: Counter, id: string): number | undefined {
  const index = counter.grants.indexOf(id);
  return index === -1 ? undefined : counter.count - counter.grants.length + index + 1;
}

/** Whether the limit is reached. A limit that was lowered later may be below the count. */
export function isUsedUp(counter: Counter, policy: Policy): boolean {
  return counter.count >= policy.limit;
}
