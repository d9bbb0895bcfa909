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
