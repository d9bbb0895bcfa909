import type { Site, Transition } from '@knowledge/runtime';
import type { EntryFacts } from '@knowledge/runtime/watch';

/** What kind of thing changed. */
export type ChangeSubject = 'article' | 'highlights' | 'object';

/** One entry of the change log, before it has its position. */
export interface NewChange {
  readonly subject: ChangeSubject;
  readonly site: Site;
  /** The slug or object id; empty for highlights. */
  readonly key: string;
  /** The tags of an article before and after, which decide whose related articles it changes. */
  readonly tags: readonly string[];
  readonly transition: Transition;
}

/** One entry of the change log. Positions begin at 1 and grow by one, in the order in which the changes were committed. */
export interface Change extends NewChange {
  readonly position: number;
}

/** What filters and cursors look at. */
export function factsOfChange({ subject, key, transition: { actor, at } }: Change): EntryFacts {
  return { subject, id: key, actor, at };
}
