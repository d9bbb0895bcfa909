import type { Site } from '@knowledge/runtime';
import type { Facet, SearchFilter } from './filter.js';
import type { AskedWord } from './query/asked-word.js';
import type { Vocabulary } from './query/read-query.js';
import type { TermPlaces } from './rules/word-places.js';
import type { SearchText, TextKey } from './texts/search-text.js';

/** What a search asks its engine. */
export interface Question {
  readonly words: readonly AskedWord[];
  readonly filter: SearchFilter;
  /** The sites that the filter leaves out. */
  readonly otherSites: readonly Site[];
  /** The places beyond the best 50 that a later list page needs: from the first to before the second. */
  readonly later: readonly [number, number];
}

/** What the engine finds. */
interface Findings {
  /** The best 50 texts and then the later ones, by score. */
  readonly texts: readonly Candidate[];
  /** The number of all texts that have a word of the query and that the filter leaves. */
  readonly total: number;
  readonly facets: readonly Facet[];
  /** The best 50 texts of each other site. */
  readonly elsewhere: readonly { readonly site: Site; readonly texts: readonly Candidate[] }[];
}

/** A text that has a word of the query. */
export interface Candidate {
  readonly key: TextKey;
  readonly score: number;
  /** Where terms stand in the text. */
  places(terms: ReadonlySet<string>): TermPlaces;
}

/**
 * Keeps the prepared words of all published texts, and scores texts by BM25 for each field. Every write may be repeated, also by other
 * replicas at the same time.
 */
export interface SearchEngine extends Vocabulary {
  find(question: Question, signal: AbortSignal): Promise<Findings>;
  /** Whether a text can be found as soon as it is written. Then searches wait for all changes before them. */
  readonly isImmediate: boolean;
  /**
   * Opens the index, or makes it again if it belongs to another log. Resolves to the position of the log up to which it has all changes, 0 if
   * it is not filled; undefined while another replica fills it.
   */
  open(isOtherLog: boolean, signal: AbortSignal): Promise<number | undefined>;
  /** Writes texts as they were read after this position of the log, and takes out those that are gone. */
  write(texts: readonly SearchText[], gone: readonly TextKey[], position: number, signal: AbortSignal): Promise<void>;
  /**
   * Notes that the index has all changes up to a position, or, without one, that this replica still fills it. Resolves to whether it is
   * still the index that was opened.
   */
  keep(position: number | undefined, signal: AbortSignal): Promise<boolean>;
  /** What the log of a filled index says of its size. */
  readonly size: object;
}

/** How many of the best texts the rules put in order. */
export const readInOrder = 50;
