import type { Site, Transition } from '@knowledge/runtime';

/** The kinds of a community object (gateway/PROTOCOL.md#objects). */
export type ObjectKind = 'story' | 'prompt_reply' | 'knowledge';

export const objectKinds: readonly ObjectKind[] = ['story', 'prompt_reply', 'knowledge'];

/** Who may change an object: the contributions service, or editors. */
export type ObjectSource = 'contribution' | 'editorial';

/** The prompt that an object answers, with the question as it stood then. */
export interface ObjectPrompt {
  readonly id: string;
  readonly question: string;
}

/** A published object in the catalog. */
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
}

/** A published object with its body. */
export interface PublishedObject extends ObjectEntry {
  readonly state: 'published';
  readonly source: ObjectSource;
  /** The revision of the contribution; content itself counts those of editors' objects. */
  readonly revision: number;
  readonly body: string;
  readonly prompt: ObjectPrompt | undefined;
}

/** What remains of a retracted object: no text, but enough to refuse a publication that arrives late. */
export interface Tombstone {
  readonly id: string;
  readonly state: 'retracted';
  readonly site: Site;
  readonly source: ObjectSource;
  readonly revision: number;
  readonly updatedAt: Date;
  /** When it was first published, if ever. */
  readonly publishedAt: Date | undefined;
}

/** An object as it is stored. */
export type StoredObject = PublishedObject | Tombstone;

/** The outcome of a change: no change, or the next revision. */
export type ObjectOutcome<Before extends StoredObject | undefined, After extends StoredObject> =
  | { readonly outcome: 'unchanged'; readonly object: Before }
  | {
      readonly outcome: 'created' | 'updated';
      readonly before: StoredObject | undefined;
      readonly object: After;
      readonly transition: Transition;
    };
