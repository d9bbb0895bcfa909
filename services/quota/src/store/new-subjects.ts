import { LRUCache } from 'lru-cache';
import type { Counter } from '../domain/counter.js';
import type { Now } from '../domain/window.js';

/** The size of a stored counter when this process saw it last: its window and its number of ids. */
export interface Tally {
  readonly window: number;
  readonly count: number;
}

/** What is known about the counter of a subject: nothing, only that it exists, or its tally. */
export type Knowledge = 'new' | 'stored' | Tally;

/** The largest number of subjects that are known to have a counter. An entry takes about 200 bytes. */
const maxKnown = 100_000;

/**
 * Remembers which subjects have a counter, and how large it was. A subject that seems new is inserted, and one with a
 * known tally is extended without reading it back. A wrong guess costs a second command, but the count stays correct,
 * because the database compares before it writes.
 */
export class NewSubjects {
  private readonly known = new LRUCache<string, Tally | 'stored'>({ max: maxKnown });
  /** How well the guesses were: that a subject is new, and that a tally is still right. */
  readonly newness: Guesses;
  readonly tallies: Guesses;

  constructor(now: Now) {
    this.newness = new Guesses(now);
    this.tallies = new Guesses(now);
  }

  /**
   * Returns what is known about a subject, for one commit. Until that commit marks the subject again, others only know
   * that it is stored, since the tally is about to change.
   */
  claim(key: string): Knowledge {
    const known = this.known.get(key);
    if (known !== 'stored') this.known.set(key, 'stored');
    if (known === undefined) return this.newness.rests ? 'stored' : 'new';
    return known === 'stored' || this.tallies.rests ? 'stored' : known;
  }

  /** Returns what is known about a subject, and leaves it to others. */
  peek(key: string): Knowledge {
    return this.known.get(key) ?? 'new';
  }

  /** Notes that the counter exists, with its tally if the counter was seen and keeps all its ids. */
  markStored(key: string, counter?: Pick<Counter, 'window' | 'count' | 'grants'>): void {
    const isWhole = counter !== undefined && counter.count === counter.grants.length;
    this.known.set(key, isWhole ? { window: counter.window, count: counter.count } : 'stored');
  }

  /** Notes the tally that a guarded update left behind. */
  markTally(key: string, tally: Tally): void {
    this.known.set(key, tally);
  }
}

/** Guesses are judged in samples of this size, since one wrong guess in a small batch says little. */
const sample = 32;

/** If more than this share of a sample is wrong, the store stops guessing for a second. */
const tolerated = 0.3;
const restMs = 1000;

/** Counts how many guesses were wrong, and rests when they are too many. */
export class Guesses {
  private restsUntil = 0;
  private made = 0;
  private wrong = 0;

  constructor(private readonly now: Now) {}

  get rests(): boolean {
    return this.now() < this.restsUntil;
  }

  report(made: number, wrong: number): void {
    this.made += made;
    this.wrong += wrong;
    if (this.made < sample) return;
    if (this.wrong > this.made * tolerated) this.restsUntil = this.now() + restMs;
    this.made = 0;
    this.wrong = 0;
  }
}
