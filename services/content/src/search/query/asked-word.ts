import type { Word } from '../analysis/words.js';

/** A way in which a text can have a word of the query: this term, or these side by side. */
export interface Way {
  /** With another letter in place of one, a word is often another right one. */
  readonly how: 'form' | 'part' | 'synonym' | 'related' | 'spelling' | 'otherLetter';
  readonly terms: readonly string[];
  /** How much it counts, from 0 to 1. */
  readonly weight: number;
  /** How rare each of the terms is, in a query that was read. */
  readonly rarities?: readonly number[];
}

/** A word of the query. A text has it in the way that counts most. */
export interface AskedWord extends Word {
  /** Only ways that some text has. */
  readonly ways: readonly Way[];
  /** How much the word counts in the query. */
  readonly weight: number;
  /** How rare it is among the texts: its inverse document frequency. */
  readonly rarity: number;
  /** Whether it stands in texts about anything, such as often. */
  readonly isCommon: boolean;
}

/** The terms of all ways to have these words. */
export function termsOf(words: readonly Pick<AskedWord, 'ways'>[]) {
  return new Set(words.flatMap(({ ways }) => ways.flatMap(({ terms }) => terms)));
}

/** A query, and the number of texts among which its words are rare. */
export interface ReadQuery {
  readonly words: readonly AskedWord[];
  readonly texts: number;
}

/** How rare what this many of the texts have is: its inverse document frequency, as Lucene has it. */
export function rarityOf(frequency: number, texts: number) {
  return Math.log(1 + (texts - frequency + 0.5) / (frequency + 0.5));
}
