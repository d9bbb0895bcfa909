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
  /** Opens a stream of changes as they are committed. */
  follow(): CommittedChanges;
}

/** Changes as they are committed. The stream may begin late or break, so readers compare positions to find gaps. */
export interface CommittedChanges {
  /** The next change; undefined if none came within one round of waiting. Rejects when the stream breaks. */
  next(): Promise<Change | undefined>;
  close(): Promise<void>;
}

/** Limits how many streams that are behind read the log at the same time. First come, first served. */
export function limitReads(log: ChangeLog): ChangeLog {
  const reads = createConcurrencyLimit(4);
  return {
    ...log,
    after: (position, limit, signal) => reads.run(signal, () => log.after(position, limit, signal)),
    before: (since, signal) => reads.run(signal, () => log.before(since, signal)),
  };
}
