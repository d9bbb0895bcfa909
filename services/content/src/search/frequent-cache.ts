import { LRUCache } from 'lru-cache';

/**
 * A cache within a number of bytes. What is asked for seldom does not push out what is asked for as often or more. So many
 * different searches in turn leave a part of their entries, where a cache of the last ones would have none of them in time.
 */
export class FrequentCache<Key extends string | number, Value extends object | string> {
  private readonly entries: LRUCache<Key, Value>;
  /** How often each key was asked for lately, whether or not it was there. */
  private readonly counts = new LRUCache<Key, number>({ max: mostCounted });
  private counted = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly bytesOf: (value: Value) => number,
  ) {
    this.entries = new LRUCache({ maxSize: Math.max(1, Math.floor(maxBytes)), sizeCalculation: bytesOf });
  }

  /** The bytes of all entries. */
  get bytes(): number {
    return this.entries.calculatedSize;
  }

  get(key: Key): Value | undefined {
    this.count(key);
    return this.entries.get(key);
  }

  /** Whether there is an entry. This does not count as asking for it. */
  has(key: Key): boolean {
    return this.entries.has(key);
  }

  /** How often a key was asked for lately. */
  timesAsked(key: Key): number {
    return this.counts.peek(key) ?? 0;
  }

  /** Whether there is room for a new entry of this size, if need be in place of seldom ones. */
  takes(key: Key, bytes: number): boolean {
    let free = this.maxBytes - this.bytes;
    if (free >= bytes) return true;
    for (const other of this.entries.rkeys()) {
      if (this.timesAsked(other) >= this.timesAsked(key)) return false;
      const value = this.entries.peek(other);
      free += value === undefined ? 0 : this.bytesOf(value);
      if (free >= bytes) return true;
    }
    return false;
  }

  set(key: Key, value: Value): void {
    this.entries.delete(key);
    if (this.takes(key, this.bytesOf(value))) this.entries.set(key, value);
  }

  delete(key: Key): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }

  private count(key: Key): void {
    this.counts.set(key, this.timesAsked(key) + 1);
    if (++this.counted < countsUntilHalved) return;
    // What was frequent long ago must not stay forever.
    this.counted = 0;
    for (const other of [...this.counts.rkeys()]) this.counts.set(other, this.timesAsked(other) / 2);
  }
}

const mostCounted = 20_000;
const countsUntilHalved = 100_000;
