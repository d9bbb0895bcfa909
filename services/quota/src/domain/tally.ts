import { keepsEveryId, type Policy } from './policy.js';

/** What was granted to one subject under one policy in one window. */
export interface Tally {
  /** The beginning of the window, milliseconds since the epoch. It never goes back. */
  readonly window: number;
  /** How many were granted. */
  readonly count: number;
  /** Their ids in the order of the grants: all of them, or the most recent ones. */
  readonly grants: readonly string[];
}

/** How many ids a policy keeps that does not keep every one; a retry must come before as many others were granted. */
const recentIds = 100;

/** The tally in a window: what is stored, or nothing yet if that is from an older one. A newer one stays. */
export function tallyIn(window: number, stored: Tally | undefined): Tally {
  return stored !== undefined && stored.window >= window ? stored : { window, count: 0, grants: [] };
}

/** The tally with one grant more. */
export function withGrant(tally: Tally, policy: Policy, id: string): Tally {
  const grants = [...tally.grants, id];
  return {
    window: tally.window,
    count: tally.count + 1,
    grants: keepsEveryId(policy) ? grants : grants.slice(-recentIds),
  };
}

/** Which grant of its window an id holds, from 1; undefined if it holds none, or none that is still known. */
export function positionOf(tally: Tally, id: string): number | undefined {
  const index = tally.grants.indexOf(id);
  return index === -1 ? undefined : tally.count - tally.grants.length + index + 1;
}

/** Whether a tally has no room. A limit that was lowered since may be below the count. */
export function isUsedUp(tally: Tally, policy: Policy): boolean {
  return tally.count >= policy.limit;
}
