import type { Site, Transition } from '@knowledge/runtime';
import { type PublishedKind, publishedKindNames } from '@knowledge/runtime/product';

/** The kinds of a community object (gateway/PROTOCOL.md#objects). */
export type ObjectKind = PublishedKind;

export const objectKinds: readonly ObjectKind[] = publishedKindNames;

/** The source that may change an object: the contributions service or the editors. */
export type ObjectSource = 'contribution' | 'editorial';

/** The prompt that an object replies to. It keeps the question as it was at that time. */
export interface ObjectPrompt {
  readonly id: string;
  readonly question: string;
}

/** One published object in the catalog. */
export interface ObjectEntry {
  readonly id: string;
  readonly kind: ObjectKind;
  readonly site: Site;
  readonly title: string;
  readonly summary: string;
  readonly author: string;
  /** A BCP 47 tag; empty if unknown. */
  readonly language: string;
  readonly publishedAt: Date;
  readonly updatedAt: Date;
  /** When a moderator last edited the text of a contribution; undefined if nobody did. */
  readonly editedAt?: Date | undefined;
  /** About how many tokens a language model needs to read the body. */
  readonly readingTokens: number;
}

/** A published object together with its body. */
export interface PublishedObject extends ObjectEntry {
  readonly state: 'published';
  readonly source: ObjectSource;
  /** For a contribution its revision. For an object of the editors the content service counts the revisions. */
  readonly revision: number;
  readonly body: string;
  readonly prompt: ObjectPrompt | undefined;
}

/** The record of a retracted object. It has no text, but it prevents a late publication of the object. */
export interface Tombstone {
  readonly id: string;
  readonly state: 'retracted';
  readonly site: Site;
  readonly source: ObjectSource;
  readonly revision: number;
  readonly updatedAt: Date;
  /** The time of the first publication; undefined if the object was never published. */
  readonly publishedAt: Date | undefined;
}

/** A published or retracted object in the database. */
export type StoredObject = PublishedObject | Tombstone;

/** A new revision of an object. */
export interface ObjectChange<After extends StoredObject> {
  readonly outcome: 'created' | 'updated';
  readonly before: StoredObject | undefined;
  readonly object: After;
  readonly transition: Transition;
}

/** The outcome of a change: the object is unchanged or has a new revision. */
export type ObjectOutcome<After extends StoredObject = StoredObject, Before extends StoredObject = StoredObject> =
  | { readonly outcome: 'unchanged'; readonly object: Before }
  | ObjectChange<After>;
