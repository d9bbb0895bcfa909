import { keepsEveryId, type Policy } from './policy.js';

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
export const recentIds = 100;

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
