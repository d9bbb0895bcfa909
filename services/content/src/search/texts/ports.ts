import type { FoundText, Gloss, PublishedText, TextKey } from './search-text.js';

/** Reads published articles and objects. Reads contain every change that was acknowledged before. */
export interface PublishedTexts {
  /** Those of these texts that are published, in any order. */
  read(keys: readonly TextKey[], signal: AbortSignal): Promise<readonly PublishedText[]>;
  /** The same texts without the bodies of articles. */
  readFound(keys: readonly TextKey[], signal: AbortSignal): Promise<readonly FoundText[]>;
  /** The next texts in the order of their keys; empty at the end. */
  next(after: TextKey | undefined, signal: AbortSignal): Promise<readonly PublishedText[]>;
  /** All published German texts in such parts, which teach the words of compounds. */
  nextGerman(after: TextKey | undefined, signal: AbortSignal): Promise<readonly PublishedText[]>;
}

/** Reads the English glosses of texts; texts without one are left out. */
export interface Glosses {
  of(keys: readonly TextKey[], signal: AbortSignal): Promise<Pick<ReadonlyMap<TextKey, Gloss>, 'get'>>;
}

/** A group of synonyms (proto/knowledge/content/v1/search.proto). */
export interface SynonymGroup {
  /** A search for one of these words or phrases finds all of them. */
  readonly words: readonly string[];
  /** A search for one of these finds `words` too, but not the other way round. */
  readonly from: readonly string[];
}

/** The synonyms of the editors, in memory. */
export interface Synonyms {
  /** All groups. The array stays the same until a group changes. */
  current(): readonly SynonymGroup[];
  /** Resolves when every change that the change stream has delivered is in `current`. */
  settled(): Promise<void>;
  /** Resolves when the groups were read for the first time. */
  readonly loaded: Promise<void>;
}
