import { rules } from '@knowledge/runtime/product';
import type { Counter } from '../domain/counter.js';
import type { Policy } from '../domain/policy.js';
import { windowEnd } from '../domain/window.js';

/** The collection of counters. It can be sharded by a hash of `_id`. */
export const countersName = 'counters';

/** A stored counter. Its `_id` is the key of the charge. */
export interface CounterDocument {
  _id: string;
  /** The start of the window. */
  window: Date;
  /** The granted ids of the window: all of them, or only the most recent ones. */
  grants: string[];
  /** The number of grants, if `grants` does not contain all ids. */
  count?: number;
  /** The time when MongoDB may delete the document. */
  expiresAt: Date;
}

export const counterProjection = { window: 1, grants: 1, count: 1 } as const;

/** The time for which a counter is stored after its window. It is far longer than clocks differ. */
const keptMs = rules.countKeptDays * 86_400_000;

/**
 * Reads a counter. If the limit was higher before, `count` may be lower than the number of ids, but is
 * never too high.
 */
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
