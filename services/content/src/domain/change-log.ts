import { createConcurrencyLimit } from '@knowledge/runtime/watch';
import type { Change } from './change.js';

/** The stored log of changes. A read contains every change that was acknowledged before the read began. */
export interface ChangeLog {
  /** The position of the last change; 0 for an empty log. */
  head(signal: AbortSignal): Promise<number>;
  /** Returns at most `limit` changes after a position, oldest first. */
  after(position: number, limit: number, signal: AbortSignal): Promise<Change[]>;
  /** The position before the first change at or after this time; undefined if there is no such change. */
  before(since: Date, signal: AbortSignal): Promise<number | undefined>;
  /** Opens a stream that delivers changes when they are committed. */
  follow(): CommittedChanges;
}

/** A stream of committed changes. It may start late or break, so readers must check the positions for gaps. */
export interface CommittedChanges {
  /**
   * The next change; undefined if no change came during one wait. The first wait ends when the stream is open. Rejects
   * when the stream breaks.
   */
  next(): Promise<Change | undefined>;
  close(): Promise<void>;
}

/** Limits how many slow streams read the log at the same time. They wait in the order of their calls. */
export function limitReads(log: ChangeLog): ChangeLog {
  const reads = createConcurrencyLimit(4);
  return {
    ...log,
    after: (position, limit, signal) => reads.run(signal, () => log.after(position, limit, signal)),
    before: (since, signal) => reads.run(signal, () => log.before(since, signal)),
  };
}
