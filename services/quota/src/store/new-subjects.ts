import { LRUCache } from 'lru-cache';
import type { Now } from '../domain/window.js';

/** The largest number of subjects that are known to have a counter. */
const maxKnown = 100_000;

/** For fewer new subjects a separate insert command is slower. */
const worthwhile = 6;

/** If more than this share of guesses is wrong, the store stops inserting for a second. */
const tolerated = 0.3;
const restMs = 1000;

const nobody: ReadonlySet<string> = new Set();

/**
 * Guesses which subjects have no counter yet. Inserting a counter costs a third of a pipeline upsert (measured: 8 to 19
 * µs of mongod per item against 37 to 51). A wrong guess costs a second command, but the count stays correct.
 */
export class NewSubjects {
  private readonly known = new LRUCache<string, true>({ max: maxKnown });
  private restsUntil = 0;

  constructor(private readonly now: Now) {}

  /** Returns the keys of counters to insert; empty if there are too few of them. */
  worthInserting(keys: Iterable<string>): ReadonlySet<string> {
    const unknown = new Set<string>();
    if (this.now() < this.restsUntil) return unknown;
    for (const key of keys) if (!this.known.has(key)) unknown.add(key);
    return unknown.size < worthwhile ? nobody : unknown;
  }

  /** Notes that the counter with this key exists. */
  markStored(key: string): void {
    this.known.set(key, true);
  }

  /** Learns how many guesses of a batch were wrong. */
  report(guesses: number, wrong: number): void {
    if (wrong > guesses * tolerated) this.restsUntil = this.now() + restMs;
  }
}
