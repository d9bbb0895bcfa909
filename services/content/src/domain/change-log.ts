import { createTurnstile } from '@knowledge/runtime/watch';
import type { Change } from './change.js';

/** The stored log of changes. Its reads see every change that was acknowledged before they began. */
export interface ChangeLog {
  /** The position of the last change; 0 for an empty log. */
  head(signal: AbortSignal): Promise<number>;
  /** The changes after a position, oldest first, at most `limit`. */
  after(position: number, limit: number, signal: AbortSignal): Promise<Change[]>;
  /** The position before the first change of this time or later; undefined if there is none. */
  before(since: Date, signal: AbortSignal): Promise<number | undefined>;
  /** Begins to hear of changes as they are committed. */
  follow(): ChangeTail;
}

/** The end of the log, as it grows. It may begin late or break, so positions decide what it left out. */
export interface ChangeTail {
  /** The next change, or undefined after a round of waiting without one; rejects when it broke. */
  next(): Promise<Change | undefined>;
  close(): Promise<void>;
}

/** The log for streams that are behind: a few of them read at a time, in the order in which they came. */
export function readInTurns(log: ChangeLog): ChangeLog {
  const turnstile = createTurnstile(4);
  return {
    ...log,
    after: (position, limit, signal) => turnstile.pass(signal, () => log.after(position, limit, signal)),
    before: (since, signal) => turnstile.pass(signal, () => log.before(since, signal)),
  };
}
