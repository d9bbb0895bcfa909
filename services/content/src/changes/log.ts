import type { Site, Transition } from '@knowledge/runtime';
import type { LogSubject } from '@knowledge/runtime/product';
import { createConcurrencyLimit, type EntryFacts } from '@knowledge/runtime/watch';

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

export type ChangeSubject = NewChange['subject'];

/** An entry of the change log that has no position yet. */
export type NewChange = ContentChange | SynonymsChange;

/** A change of something that belongs to a site. */
interface ContentChange extends ChangeBase {
  readonly subject: Exclude<LogSubject<'content'>, 'synonyms'>;
  readonly site: Site;
}

/** A change of a group of synonyms. Synonyms belong to no site. */
interface SynonymsChange extends ChangeBase {
  readonly subject: 'synonyms';
  readonly site?: never;
}

interface ChangeBase {
  /** The slug, object id or id of the group; empty for highlights. A draft has the slug of its article. */
  readonly key: string;
  /** The tags of an article before and after the change. Articles with these tags may have new related articles. */
  readonly tags: readonly string[];
  readonly transition: Transition;
}

/** An entry of the change log. The positions are 1, 2, 3, … in the order of commits. */
export type Change = NewChange & { readonly position: number };

/** Returns the fields that filters and cursors use. */
export function factsOfChange({ subject, key, transition: { actor, at } }: Change): EntryFacts {
  return { subject, id: key, actor, at };
}
