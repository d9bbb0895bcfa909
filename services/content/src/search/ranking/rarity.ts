import type { WordIndex } from '../index/text-index.js';
import { type QueryWord, uncertain } from './query.js';

/** How much a common word counts. */
const commonShare = 0.5;
/** How much more of the query a rare word is than a frequent one. */
const coveragePower = 1.1;

export function raritiesOf(words: readonly QueryWord[], { size }: Pick<WordIndex, 'size'>): number[] {
  return words.map((word) => rarityOf(word, size));
}

/** How rare a word of the query is: its inverse document frequency, as in BM25. What only resembles it does not count. */
export function rarityOf({ alternatives, isCommon }: QueryWord, size: number): number {
  const counts = alternatives.map(({ coverage, found }) => (coverage > uncertain ? found.texts.length : 0));
  return rarity(Math.max(0, ...counts), size) * (isCommon ? commonShare : 1);
}

/** The rarity of a word that this number of texts have. */
export function rarity(texts: number, size: number): number {
  return Math.log(1 + (size - texts + 0.5) / (texts + 0.5));
}

/** Which part of a query each of its words is, from 0 to 1. */
export function coverageShares(rarities: readonly number[]): number[] {
  const shares = rarities.map((each) => each ** coveragePower);
  const sum = shares.reduce((all, each) => all + each, 0);
  return shares.map((each) => each / sum);
}
