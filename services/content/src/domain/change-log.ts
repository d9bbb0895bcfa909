import { createConcurrencyLimit } from '@knowledge/runtime/watch';
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
  follow(): CommittedChanges;
}

/** The end of the log, as it grows. It may begin late or break, so positions decide what it left out. */
export interface CommittedChanges {
  /** The next change, or undefined after a round of waiting without one; rejects when it broke. */
  next(): Promise<Change | undefined>;
  close(): Promise<void>;
}

/** The log for streams that are behind: a few of them read at a time, in the order in which they came. */
export function limitReads(log: ChangeLog): ChangeLog {
  const reads = createConcurrencyLimit(4);
  return {
    ...log,
    after: (position, limit, signal) => reads.run(signal, () => log.after(position, limit, signal)),
    before: (since, signal) => reads.run(signal, () => log.before(since, signal)),
  };
}
