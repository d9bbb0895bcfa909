import type { Site, Transition } from '@knowledge/runtime';
import type { EntryFacts } from '@knowledge/runtime/watch';

export type ChangeSubject = 'article' | 'highlights' | 'object';

/** An entry of the change log that has no position yet. */
export interface NewChange {
  readonly subject: ChangeSubject;
  readonly site: Site;
  /** The slug or object id; empty for highlights. */
  readonly key: string;
  /** The tags of an article before and after the change. Articles with these tags may have new related articles. */
  readonly tags: readonly string[];
  readonly transition: Transition;
}

/** An entry of the change log. The positions are 1, 2, 3, … in the order of commits. */
export interface Change extends NewChange {
  readonly position: number;
}

/** Returns the fields that filters and cursors use. */
export function factsOfChange({ subject, key, transition: { actor, at } }: Change): EntryFacts {
  return { subject, id: key, actor, at };
}
