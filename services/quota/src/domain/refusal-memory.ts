import { LRUCache } from 'lru-cache';
import type { Charge } from './charge.js';
import { isUsedUp, type Tally } from './tally.js';
import { windowStart } from './window.js';

/** For how long a used-up subject is refused without a look at the database: so late may a reset elsewhere be noticed. */
const heldMs = 5000;

/** How much is held, some 35,000 readers without a token; the least recently asked for go first. */
const maxHeldBytes = 16 * 2 ** 20;

/** What an entry takes beside its strings, and each string beside its characters. */
const overhead = { entry: 160, text: 32 };

interface Held {
  readonly tally: Tally;
  readonly seenAt: number;
}

/**
 * The subjects that were found used up, so that a flood of refusals costs no database. It holds the ids of the grants too:
 * the retry of a granted id is granted.
 */
export class RefusalMemory {
  private readonly held = new LRUCache<string, Held>({ maxSize: maxHeldBytes, sizeCalculation: bytesOf });
  private current = 0;

  /** Names the time between two resets. What was read before a reset must not be remembered after it. */
  get generation(): number {
    return this.current;
  }

  /** The tally of a subject that is used up, if it was seen within 5 s and its window lasts. */
  recall({ key, policy }: Charge, now: number): Tally | undefined {
    const held = this.held.get(key);
    if (held === undefined) return undefined;
    const age = now - held.seenAt;
    // A clock that was set back must not make it last longer.
    if (age >= 0 && age < heldMs && windowStart(policy.window, now) <= held.tally.window) return held.tally;
    this.held.delete(key);
    return undefined;
  }

  /** Holds a tally read in the given generation if it has no room. */
  remember({ key, policy }: Charge, tally: Tally, now: number, generation: number): void {
    if (generation === this.current && isUsedUp(tally, policy)) this.held.set(key, { tally, seenAt: now });
  }

  /** Forgets subjects that were reset. */
  forget(keys: readonly string[]): void {
    this.current++;
    for (const key of keys) this.held.delete(key);
  }
}

// A policy with a high limit keeps a hundred ids of up to 64 characters, so that entries differ a hundredfold.
function bytesOf({ tally }: Held, key: string): number {
  const texts = [key, ...tally.grants];
  return texts.reduce((bytes, text) => bytes + overhead.text + Buffer.byteLength(text), overhead.entry);
}
