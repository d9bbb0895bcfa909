import type { AnalysedBlock } from './analysed-blocks.js';
import type { FoundText, Gloss, PublishedText, TextKey } from './search-text.js';
import type { WordIndex } from './text-index.js';

/** The index in one of its forms. */
export interface SearchIndex {
  /** Waits until it has every change that was acknowledged before this call. Rejects when the signal aborts. */
  settled(signal: AbortSignal): Promise<SettledIndex>;
}

export interface SettledIndex {
  /**
   * Runs the steps of a search over the index, each with the result of the one before. All see the same texts. A step must
   * have no other effects, since it runs again when something that it asked for had to be read first. After the last step,
   * only the lengths of the found texts and scores are right, since the next search uses their arrays again.
   */
  ask<Words, Ranked, Page>(steps: Steps<Words, Ranked, Page>, signal: AbortSignal): Promise<Page>;
  /** The first blocks of the bodies that the index keeps. Other texts are left out. */
  blocks(keys: readonly TextKey[], signal: AbortSignal): Promise<ReadonlyMap<TextKey, IndexedBlocks>>;
}

/** The first blocks of the body of a revision. */
export interface IndexedBlocks {
  readonly revision: number;
  blocks(): readonly AnalysedBlock[];
}

export interface Steps<Words, Ranked, Page> {
  /** Finds the words of the query in the index. */
  read(index: WordIndex): Words;
  /** Ranks the texts that have them. */
  rank(index: WordIndex, words: Words): Ranked;
  /** Looks at the best ones in more detail. */
  page(index: WordIndex, ranked: Ranked): Page;
}

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
