import { type Closable, type Logger, startLoop } from '@knowledge/runtime';
import { isDuplicateKey } from '@knowledge/runtime/mongodb';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import { type ConsumeItem, maxOpen, portionSize } from '../domain/consume-item.js';
import type { Counter } from '../domain/decision.js';
import { type Now, windowStart } from '../domain/policy.js';
import type { CeilingPortions } from '../domain/quota.js';
import type { Charge } from '../domain/subject.js';
import { findCounters, parts, type Statement, writeEach } from './counter-commands.js';
import { countersName, toDocument } from './schema.js';

interface CeilingPortionsParts {
  db: Db;
  now: Now;
  log: Logger;
  /** After this time a portion is stored even if it is not full, in milliseconds (default 15,000). */
  keptMs?: number;
}

/** The units of one ceiling that this process counts and has not stored yet. */
interface Portion {
  readonly charge: Charge;
  readonly window: number;
  /** The number of units whose reader is not decided yet. */
  asked: number;
  granted: number;
  /** The number of granted units that are being stored. */
  storing: number;
  /** When it was opened or stored, in milliseconds since the start of the process. */
  since: number;
}

const pauseMs = 1_000;

/** For this time full portions wait for others, since a command costs more than what is in it. */
const togetherMs = 20;

/** The largest number of ceilings whose stored count is remembered. */
const maxStored = 100_000;

/**
 * Counts the ceilings of network addresses in memory, and adds them to the stored counters in portions
 * (services/quota/DECISIONS.md). It knows what other processes counted when it has stored a portion.
 */
export function createCeilingPortions({
  db,
  now,
  log,
  keptMs = 15_000,
}: CeilingPortionsParts): CeilingPortions & Closable {
  /** By key and window, in the order of their time. */
  const portions = new Map<string, Portion>();
  const full = new Set<Portion>();
  const stored = new LRUCache<string, Pick<Counter, 'window' | 'count'>>({ max: maxStored });

  const portionOf = (charge: Charge, time: number) => {
    const window = windowStart(charge.policy.window, time);
    const name = nameOf({ charge, window });
    const known = portions.get(name);
    if (known !== undefined) return known;
    const portion = { charge, window, asked: 0, granted: 0, storing: 0, since: performance.now() };
    portions.set(name, portion);
    return portion;
  };

  const hasRoom = ({ policy }: Charge, { charge: { key }, window, asked, granted, storing }: Portion) => {
    const open = asked + granted + storing;
    const known = stored.get(key);
    const count = known !== undefined && known.window >= window ? known.count : 0;
    return open < maxOpen(policy) && count + open < policy.limit;
  };

  /** Adds what portions granted. After an outage nobody knows whether it was added, so it is not added again. */
  const add = async (some: readonly Portion[], signal: AbortSignal) => {
    const filled = some.filter(({ granted }) => granted > 0);
    if (filled.length === 0) return;
    const updates = filled.map(adding);
    for (const portion of filled) [portion.storing, portion.granted] = [portion.granted, 0];
    try {
      const { failed } = await writeEach(db, { update: countersName, updates, ordered: false }, signal);
      for (const [at, portion] of filled.entries()) if (failed.has(at)) portion.granted += portion.storing;
      for (const error of failed.values()) if (!isDuplicateKey(error)) throw error;
      const keys = filled.map(({ charge: { key } }) => key);
      const counters = await findCounters(db, keys, { signal });
      for (const [key, { window, count }] of counters) stored.set(key, { window, count });
    } finally {
      for (const portion of filled) portion.storing = 0;
    }
  };

  /** Stores portions, and drops those that are empty then. */
  const storeAll = async (due: readonly Portion[], signal: AbortSignal) => {
    for (const part of parts(due)) await add(part, signal);
    for (const portion of due) {
      if (portion.granted < portionSize(portion.charge.policy)) full.delete(portion);
      const name = nameOf(portion);
      portions.delete(name);
      portion.since = performance.now();
      if (portion.asked + portion.granted > 0) portions.set(name, portion);
    }
  };

  let isBusy = false;
  const loop = startLoop({
    name: 'ceiling portions',
    pauseMs,
    log,
    async round(signal) {
      const due = new Set(full);
      for (const portion of portions.values()) {
        if (portion.since > performance.now() - keptMs) break;
        due.add(portion);
      }
      isBusy = due.size > 0;
      await storeAll([...due], signal);
      return isBusy && togetherMs;
    },
  });

  const settle = (portion: Portion, isGranted: boolean) => {
    portion.asked -= 1;
    if (!isGranted) return;
    portion.granted += 1;
    if (portion.granted < portionSize(portion.charge.policy) || full.has(portion)) return;
    full.add(portion);
    if (!isBusy) loop.kick();
  };

  return {
    take({ charges: [, ...ceilings] }: ConsumeItem) {
      const time = now();
      const taken = ceilings.map((charge) => portionOf(charge, time));
      if (!taken.every((portion, at) => hasRoom(ceilings[at] as Charge, portion))) return undefined;
      for (const portion of taken) portion.asked += 1;
      return (isGranted) => {
        for (const portion of taken) settle(portion, isGranted);
      };
    },
    forget(keys) {
      for (const key of keys) stored.delete(key);
      for (const portion of portions.values()) if (keys.includes(portion.charge.key)) portion.granted = 0;
    },
    async close() {
      await loop.close();
      await storeAll([...portions.values()], AbortSignal.timeout(2_000)).catch((err: unknown) => {
        log.warn({ err }, 'some units of ceilings were not stored');
      });
    },
  };
}

function nameOf({ charge, window }: Pick<Portion, 'charge' | 'window'>) {
  return `${charge.key} ${window}`;
}

/** Adds units without ids to the counter of a ceiling. The counter of a newer window stays as it is. */
function adding({ charge: { key, policy }, window, granted }: Portion): Statement {
  const first = toDocument(key, policy, { window, count: granted, grants: [] });
  const count = { $add: [{ $max: [{ $ifNull: ['$count', 0] }, { $size: '$grants' }] }, granted] };
  const same = { $cond: [{ $eq: ['$window', first.window] }, { $mergeObjects: ['$$ROOT', { count }] }, '$$ROOT'] };
  // A new document has no window, which is less than any date.
  const counted = { $cond: [{ $lt: ['$window', first.window] }, { $literal: first }, same] };
  return { q: { _id: key }, u: [{ $replaceWith: counted }], upsert: true };
}
