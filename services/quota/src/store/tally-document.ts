import type { Policy } from '../domain/policy.js';
import type { Tally } from '../domain/tally.js';
import { windowEnd } from '../domain/window.js';

/** The collection of all counts. It can be sharded by a hash of `_id`. */
export const talliesName = 'tallies';

/** What is stored of one subject under one policy; `_id` is the key of the charge. */
export interface TallyDocument {
  _id: string;
  /** The beginning of the window. */
  window: Date;
  /** The ids granted in it, the most recent ones where there are more than are kept. */
  grants: string[];
  /** How many were granted, where `grants` may not say it. */
  count?: number;
  /** When the document may be cleaned up. */
  expiresAt: Date;
}

/** The fields that a tally needs. */
export const tallyFields = { window: 1, grants: 1, count: 1 } as const;

/** How long a document outlives its window: far longer than clocks differ. */
const keptMs = 3 * 86_400_000;

/** The tally of a document. A count left behind by a higher limit may be behind the ids, never ahead of the truth. */
export function toTally({ window, grants, count = 0 }: Omit<TallyDocument, '_id' | 'expiresAt'>): Tally {
  return { window: window.getTime(), count: Math.max(count, grants.length), grants };
}

/** The document of a tally. */
export function toDocument(key: string, policy: Policy, { window, count, grants }: Tally): TallyDocument {
  return {
    _id: key,
    window: new Date(window),
    grants: [...grants],
    ...(count > grants.length && { count }),
    expiresAt: new Date(windowEnd(policy.window, window) + keptMs),
  };
}
