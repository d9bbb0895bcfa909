import type { TextKey } from '../index/search-text.js';
import type { TextIndex } from '../index/text-index.js';
import type { QueryWord } from './query.js';

/** A text in the order of search results. */
export interface RankedText {
  readonly key: TextKey;
  readonly score: number;
  /** How much of what the query is about the text has, from 0 to 1. Rare words count more. */
  readonly fit: number;
}

/**
 * Ranks the texts that have any word of the query. The score of a text is the sum over the words, each by its best
 * alternative.
 */
export function rank(words: readonly QueryWord[], index: TextIndex): RankedText[] {
  const totals = new Map<TextKey, { score: number; fit: number }>();
  const rarities = words.map((word) => rarityOf(word, index.size));
  const sum = rarities.reduce((total, rarity) => total + rarity, 0) || 1;
  for (const [place, { alternatives }] of words.entries()) {
    const best = new Map<TextKey, number>();
    const fits = new Map<TextKey, number>();
    for (const { weight, found, how } of alternatives) {
      for (const { key, score } of found) {
        best.set(key, Math.max(best.get(key) ?? 0, score * weight));
        fits.set(key, Math.max(fits.get(key) ?? 0, how === 'form' ? 1 : 0.8));
      }
    }
    for (const [key, score] of best) {
      const total = totals.get(key) ?? { score: 0, fit: 0 };
      total.score += score;
      total.fit += ((fits.get(key) ?? 0) * (rarities[place] ?? 0)) / sum;
      totals.set(key, total);
    }
  }
  return [...totals].map(([key, { score, fit }]) => ({ key, score, fit })).sort(byRank);
}

function rarityOf({ alternatives }: QueryWord, size: number): number {
  const most = Math.max(0, ...alternatives.map(({ found }) => found.length));
  return Math.log(1 + (size - most + 0.5) / (most + 0.5));
}

function byRank(a: RankedText, b: RankedText): number {
  return b.score - a.score || (a.key < b.key ? -1 : 1);
}
