import type { Site, Transition } from '@knowledge/runtime';
import type { EntryFacts } from '@knowledge/runtime/watch';

export type ChangeSubject = NewChange['subject'];

/** An entry of the change log that has no position yet. */
export type NewChange = ContentChange | SynonymsChange;

/** A change of something that belongs to a site. */
interface ContentChange extends ChangeBase {
  readonly subject: 'article' | 'article_draft' | 'highlights' | 'object';
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
