import type { TextKey } from '../index/search-text.js';
import type { TextIndex } from '../index/text-index.js';
import { nearness } from './nearness.js';
import type { QueryWord } from './query.js';

/** A text in the order of search results. */
export interface RankedText {
  readonly key: TextKey;
  readonly score: number;
  /** Whether the text fits badly: it lacks most of what the query is about. */
  readonly weak: boolean;
}

/**
 * How much a text gains that has all words of the query, and one that has them side by side. These numbers and the bounds
 * below were chosen by measurement with the queries of `test/search`.
 */
const gains = { coverage: 1.5, nearness: 1 };
/** How much of a word's rarity a text covers that has it in another form than the query. */
const otherForm = 0.8;
/** The number of best texts that are also ranked by nearness. */
const rankedByNearness = 50;
/** A text is weak if its words are rarer or less prominent than this share of the largest possible score. */
const leastStrength = 0.33;
/** A text that covers this much of the query is never weak. */
const wholeQuery = 0.99;

/**
 * Ranks the texts that have any word of the query. The score of a text is the sum over the words, each by its best
 * alternative; it grows with the share of the words that the text has, and if they stand near each other.
 */
export function rank(words: readonly QueryWord[], index: TextIndex): RankedText[] {
  const ceiling = words.length * rarity(0, index.size);
  const scored = [...totals(words, index.size)].map(([key, { score, coverage }]) => ({
    key,
    score: score * (1 + gains.coverage * coverage),
    weak: coverage < wholeQuery && (score * coverage) / ceiling < leastStrength,
  }));
  scored.sort(byRank);
  const best = scored.slice(0, rankedByNearness).map((text) => ({
    ...text,
    score: text.score * (1 + gains.nearness * nearness(words, index.sequence(text.key))),
  }));
  return [...best.sort(byRank), ...scored.slice(rankedByNearness)];
}

interface Total {
  score: number;
  /** The share of the query that the text has, from 0 to 1. Rare words count more. */
  coverage: number;
}

function totals(words: readonly QueryWord[], size: number): Map<TextKey, Total> {
  const found = new Map<TextKey, Total>();
  const rarities = words.map((word) => rarityOf(word, size));
  const sum = rarities.reduce((total, each) => total + each, 0);
  for (const [at, word] of words.entries()) {
    const share = (rarities[at] ?? 0) / sum;
    for (const [key, { score, coverage }] of bestOf(word)) {
      const total = found.get(key) ?? { score: 0, coverage: 0 };
      found.set(key, { score: total.score + score, coverage: total.coverage + coverage * share });
    }
  }
  return found;
}

function bestOf({ alternatives }: QueryWord): Map<TextKey, Total> {
  const best = new Map<TextKey, Total>();
  for (const { weight, found, how } of alternatives) {
    const covered = how === 'form' ? 1 : otherForm;
    for (const { key, score } of found) {
      const known = best.get(key);
      best.set(key, {
        score: Math.max(known?.score ?? 0, score * weight),
        coverage: Math.max(known?.coverage ?? 0, covered),
      });
    }
  }
  return best;
}

/** How rare a word of the query is: its inverse document frequency, as in BM25. */
export function rarityOf({ alternatives }: QueryWord, size: number): number {
  return rarity(Math.max(0, ...alternatives.map(({ found }) => found.length)), size);
}

function rarity(texts: number, size: number): number {
  return Math.log(1 + (size - texts + 0.5) / (texts + 0.5));
}

function byRank(a: RankedText, b: RankedText): number {
  return b.score - a.score || (a.key < b.key ? -1 : 1);
}
