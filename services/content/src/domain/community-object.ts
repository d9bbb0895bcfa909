import type { Site, Transition } from '@knowledge/runtime';

/** The kinds of a community object (gateway/PROTOCOL.md#objects). */
export type ObjectKind = 'story' | 'prompt_reply' | 'knowledge';

/** Every kind. */
export const objectKinds: readonly ObjectKind[] = ['story', 'prompt_reply', 'knowledge'];

/** Who may change an object: the contributions service, or editors. */
export type ObjectSource = 'contribution' | 'editorial';

/** The prompt that an object answers, with the question as it stood then. */
export interface ObjectPrompt {
  readonly id: string;
  readonly question: string;
}

/** What the catalog shows of a published object. */
export interface ObjectEntry {
  readonly id: string;
  readonly kind: ObjectKind;
  readonly site: Site;
  readonly title: string;
  readonly summary: string;
  readonly author: string;
  /** BCP 47; empty where it is not known. */
  readonly language: string;
  readonly publishedAt: Date;
  readonly updatedAt: Date;
}

/** A published object with its body. */
export interface PublishedObject extends ObjectEntry {
  readonly state: 'published';
  readonly source: ObjectSource;
  /** Of the contribution, or counted here for editors. */
  readonly revision: number;
  readonly body: string;
  readonly prompt: ObjectPrompt | undefined;
}

/** What is left of a retracted object: enough to keep a late publication out, none of its text. */
export interface Tombstone {
  readonly id: string;
  readonly state: 'retracted';
  readonly site: Site;
  readonly source: ObjectSource;
  readonly revision: number;
  readonly updatedAt: Date;
  /** When it first appeared, if it ever did. */
  readonly publishedAt: Date | undefined;
}

/** An object as it is stored. */
export type StoredObject = PublishedObject | Tombstone;

/** What becomes of an object: nothing, or one revision more. */
export type ObjectOutcome<Before extends StoredObject | undefined, After extends StoredObject> =
  | { readonly outcome: 'unchanged'; readonly object: Before }
  | {
      readonly outcome: 'created' | 'updated';
      readonly before: StoredObject | undefined;
      readonly object: After;
      readonly transition: Transition;
    };
