import type { Deadline } from '@knowledge/runtime';
import { LRUCache } from 'lru-cache';
import { type Counter, counterIn, isUsedUp, positionOf, withGrant } from '../domain/decision.js';
import type { Now } from '../domain/policy.js';
import type { Charge } from '../domain/subject.js';

/** An item that is not decided yet. */
export interface OpenItem {
  readonly place: number;
  readonly id: string;
  readonly charge: Charge;
  /** The window of the item by our clock. */
  readonly window: number;
  readonly deadline: Deadline;
}

/** The items of one subject in their order. */
export class NewSubject {
  readonly charge: Charge;
  readonly items: OpenItem[] = [];

  constructor(item: OpenItem) {
    this.charge = item.charge;
    this.items.push(item);
  }

  /** The earliest deadline of the items. */
  get deadline(): Deadline {
    return Math.min(...this.items.map(({ deadline }) => deadline));
  }

  /** The first counter of a new subject, with the grants of all items that it has room for. */
  first(): Counter {
    const [{ window }] = this.items as [OpenItem];
    let counter = counterIn(window, undefined);
    for (const { id, charge } of this.items) {
      if (positionOf(counter, id) !== undefined || isUsedUp(counter, charge.policy)) continue;
      counter = withGrant(counter, charge.policy, id);
    }
    return counter;
  }

  /** The extension of a counter with this tally. Undefined if the window differs or there is not room for all. */
  extending(tally: Tally): Extension | undefined {
    const ids = [...new Set(this.items.map(({ id }) => id))];
    const fits = this.items.every(
      ({ window, charge }) => window === tally.window && tally.count + ids.length <= charge.policy.limit,
    );
    return fits ? { subject: this, tally, ids } : undefined;
  }
}

/** New ids for a counter of a known size. */
export interface Extension {
  readonly subject: NewSubject;
  readonly tally: Tally;
  readonly ids: readonly string[];
}

/** Sorts items by subject. */
export function subjectsOf(items: readonly OpenItem[]): Iterable<NewSubject> {
  const subjects = new Map<string, NewSubject>();
  for (const item of items) {
    const subject = subjects.get(item.charge.key);
    if (subject === undefined) subjects.set(item.charge.key, new NewSubject(item));
    else subject.items.push(item);
  }
  return subjects.values();
}

/** The size of a stored counter when this process saw it last: its window and its number of ids. */
interface Tally {
  readonly window: number;
  readonly count: number;
}

/** What is known about the counter of a subject: nothing, only that it exists, or its tally. */
type Knowledge = 'new' | 'stored' | Tally;

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
class Guesses {
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
