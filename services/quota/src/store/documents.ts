import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '@knowledge/runtime';
import { rules } from '@knowledge/runtime/product';
import type { Document } from 'mongodb';
import type { Counter } from '../domain/counter.js';
import type { LeasedUnit, TurnName } from '../domain/lease.js';
import { type Policy, windowEnd } from '../domain/policy.js';

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

/**
 * A stored lease. A settled lease has no units. It is in the collection of the counters, so that one command opens a turn
 * and counts its units.
 */
export interface LeaseDocument {
  _id: string;
  turn: number;
  units?: { id: string; keys: string[] }[];
  /** Set while the lease has units. The index of open leases uses it. */
  open?: true;
  /**
   * The time when MongoDB may delete the document. It stays the same all day, so that updates do not
   * change its index.
   */
  expiresAt: Date;
}

const dayMs = 86_400_000;

export function toLease({ id, turn }: TurnName, units: readonly LeasedUnit[], now: number): LeaseDocument {
  const open = units.map(({ id, keys }) => ({ id, keys: [...keys] }));
  const expiresAt = new Date(now - (now % dayMs) + 3 * dayMs);
  return { _id: leaseKey(id), turn, ...(open.length > 0 && { units: open, open: true as const }), expiresAt };
}

// No policy has this name, so no counter has such a key.
const prefix = 'lease:';

export function leaseKey(id: string): string {
  return `${prefix}${id}`;
}

export function leaseIdOf({ _id }: Pick<LeaseDocument, '_id'>): string {
  return _id.slice(prefix.length);
}

/** Opens a turn. It fails as a duplicate if the lease has this turn already, or a later one. */
export function opening({ _id, ...lease }: LeaseDocument): Statement {
  return { q: { _id, turn: { $lt: lease.turn } }, u: lease, upsert: true };
}

/**
 * Converts a deadline to the clock of the database. A later write must have no effect. Undefined if that clock is unknown;
 * then a write that arrives too late counts until it is given back.
 */
export type LastMoment = (deadline: number) => Date | undefined;

/** One statement of an update command. Each statement is applied alone, in the order of the command. */
export interface Statement {
  readonly q: Document;
  readonly u: Document | Document[];
  readonly upsert?: boolean;
}

/**
 * Inserts a counter. If there is one already, it matches it and changes nothing. After `lastMoment` by the server's clock
 * it fails, because the document would be invalid.
 */
export function insertion(counter: CounterDocument, lastMoment: Date | undefined): Statement {
  const { _id, ...fields } = counter;
  if (lastMoment === undefined) return { q: { _id }, u: { $setOnInsert: fields }, upsert: true };
  const stays = { $or: [{ $gt: ['$$NOW', lastMoment] }, { $gt: ['$window', null] }] };
  return { q: { _id }, u: [{ $replaceWith: { $cond: [stays, '$$ROOT', { $literal: counter }] } }], upsert: true };
}

/** New ids for a counter. It must still have this window, this number of ids, and none of the new ones. */
interface Append {
  readonly key: string;
  readonly window: number;
  readonly count: number;
  readonly ids: readonly string[];
  /** After this moment by the server's clock nothing is added. */
  readonly lastMoment?: Date | undefined;
}

/** Adds ids to a counter. If the counter is not as expected, it matches none. */
export function appending({ key, window, count, ids, lastMoment }: Append): Statement {
  return {
    q: {
      _id: key,
      window: new Date(window),
      grants: { $size: count, $nin: ids },
      ...(lastMoment && { $expr: { $lte: ['$$NOW', lastMoment] } }),
    },
    u: { $push: { grants: { $each: ids } } },
  };
}

/** An upsert of one counter by an update pipeline. */
export interface PipelineUpsert {
  key: string;
  pipeline: Document[];
}

export function upserting({ key, pipeline }: PipelineUpsert): Statement {
  return { q: { _id: key }, u: pipeline, upsert: true };
}

/** Repeats an operation while MongoDB is unreachable, until the signal aborts. The operation must be safe to repeat. */
export async function untilAnswered<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (signal.aborted || !isOutage(error)) throw error;
      await pause(25 + Math.random() * 50);
    }
  }
}
