import type { Site, Transition } from '@knowledge/runtime';
import type { EntryFacts } from '@knowledge/runtime/watch';

export type ChangeSubject = 'article' | 'highlights' | 'object';

/** One entry of the change log, before it has its position. */
export interface NewChange {
  readonly subject: ChangeSubject;
  readonly site: Site;
  /** The slug or object id; empty for highlights. */
  readonly key: string;
  /** The tags of an article before and after the change. Articles with one of them get new related articles. */
  readonly tags: readonly string[];
  readonly transition: Transition;
}

/** One entry of the change log. Positions count from 1 in the order of commits, without gaps. */
export interface Change extends NewChange {
  readonly position: number;
}

/** The fields that filters and cursors use. */
export function factsOfChange({ subject, key, transition: { actor, at } }: Change): EntryFacts {
  return { subject, id: key, actor, at };
}
