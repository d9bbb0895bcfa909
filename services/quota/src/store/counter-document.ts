import type { Counter } from '../domain/counter.js';
import type { Policy } from '../domain/policy.js';
import { windowEnd } from '../domain/window.js';

/** The collection of counters. It can be sharded by a hash of `_id`. */
export const countersName = 'tallies';

/** A stored counter; `_id` is the key of the charge. */
export interface CounterDocument {
  _id: string;
  /** The beginning of the window. */
  window: Date;
  /** The granted ids of the window: all, or the most recent ones. */
  grants: string[];
  /** The number of grants, where `grants` may not contain all. */
  count?: number;
  /** When the document may be deleted. */
  expiresAt: Date;
}

export const counterFields = { window: 1, grants: 1, count: 1 } as const;

/** How long a document outlives its window; far longer than clocks differ. */
const keptMs = 3 * 86_400_000;

/** Reads a counter. A count from a time with a higher limit may be lower than the number of ids, never too high. */
export function toCounter({ window, grants, count = 0 }: Omit<CounterDocument, '_id' | 'expiresAt'>): Counter {
  return { window: window.getTime(), count: Math.max(count, grants.length), grants };
}

export function toDocument(key: string, policy: Policy, { window, count, grants }: Counter): CounterDocument {
  return {
    _id: key,
    window: new Date(window),
    grants: [...grants],
    ...(count > grants.length && { count }),
    expiresAt: new Date(windowEnd(policy.window, window) + keptMs),
  };
}
