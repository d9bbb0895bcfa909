import { LRUCache } from 'lru-cache';
import { type Counter, isUsedUp } from './counter.js';
import { windowStart } from './policy.js';
import type { Charge } from './subject.js';

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

  /** The counter of a charge, if it was used up within the last 5 s. Undefined if its window has ended. */
  recall({ key, policy }: Charge, now: number): Counter | undefined {
    const held = this.held.get(key);
    if (held === undefined) return undefined;
    const age = now - held.seenAt;
    // If the clock was set back, the age is negative, and the entry is dropped.
    if (age >= 0 && age < cachedMs && windowStart(policy.window, now) <= held.counter.window) return held.counter;
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
function bytesOf({ counter }: CachedCounter, key: string): number {
  const texts = [key, ...counter.grants];
  return texts.reduce((bytes, text) => bytes + overhead.text + Buffer.byteLength(text), overhead.entry);
}
