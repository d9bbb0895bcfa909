import { LRUCache } from 'lru-cache';
import type { Charge } from './charge.js';
import { type Counter, isUsedUp } from './counter.js';
import { windowStart } from './window.js';

/** How long refusals come from the cache, and how late a reset in another process may take effect here. */
const cachedMs = 5000;

/** Enough for some 35,000 readers without a token. The least recently used entries are dropped first. */
const maxCachedBytes = 16 * 2 ** 20;

/** Memory of an entry without its strings, and of a string without its characters. */
const overhead = { entry: 160, text: 32 };

interface CachedCounter {
  readonly counter: Counter;
  readonly seenAt: number;
}

/**
 * Caches counters that are used up, so that a flood of refusals needs no database. Their ids are cached too, so that a
 * retry of a granted id is granted.
 */
export class RefusalCache {
  private readonly held = new LRUCache<string, CachedCounter>({ maxSize: maxCachedBytes, sizeCalculation: bytesOf });
  private current = 0;

  /** Changes at each reset. A counter that was read before a reset must not be cached after it. */
  get generation(): number {
    return this.current;
  }

  /** The counter of a charge if it was used up within the last 5 s. Undefined when its window has ended. */
  recall({ key, policy }: Charge, now: number): Counter | undefined {
    const held = this.held.get(key);
    if (held === undefined) return undefined;
    const age = now - held.seenAt;
    // Setting the clock back must not extend this time.
    if (age >= 0 && age < cachedMs && windowStart(policy.window, now) <= held.counter.window) return held.counter;
    this.held.delete(key);
    return undefined;
  }

  /** Caches a counter if it is used up and no reset happened since it was read. */
  remember({ key, policy }: Charge, counter: Counter, now: number, generation: number): void {
    if (generation === this.current && isUsedUp(counter, policy)) this.held.set(key, { counter, seenAt: now });
  }

  /** Drops the counters of a reset. */
  forget(keys: readonly string[]): void {
    this.current++;
    for (const key of keys) this.held.delete(key);
  }
}

// Counters differ a hundredfold in size: a high limit keeps a hundred ids of up to 64 characters.
function bytesOf({ counter }: CachedCounter, key: string): number {
  const texts = [key, ...counter.grants];
  return texts.reduce((bytes, text) => bytes + overhead.text + Buffer.byteLength(text), overhead.entry);
}
