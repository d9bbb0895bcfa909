import type { FactColumns } from '../index/fact-columns.js';
import type { TextKey } from '../index/search-text.js';
import type { RankedText, ScoredTexts } from './rank.js';

/**
 * How close texts are to the meaning of a query: in standard deviations above the mean of all texts. What is not closer than
 * the mean is left out.
 */
export type Closeness = ReadonlyMap<TextKey, number>;

/** Compares the meaning of queries and texts. */
export interface Meanings {
  /**
   * Resolves to the closeness of texts to a query; undefined if it is not known in time. Never rejects.
   *
   * @param best gives the best texts by words, which are compared even if memory has no room for their vectors
   */
  compare(
    query: string,
    best: () => readonly TextKey[] | Promise<readonly TextKey[]>,
    signal: AbortSignal,
  ): Promise<Closeness | undefined>;
  /** Whether some texts wait for their vectors, so that the same search may soon find more. */
  readonly isWaiting: boolean;
}

/** The number of best texts by words to whose scores the closeness is added. */
export const compared = 50;
/** What a standard deviation adds to a score, as a share of the best score by words. Chosen by measurement with `test/search` (set dev). */
const gain = 0.08;
/** The closest texts are hits too, if they are this close. */
const least = 1.5;
const mostClosest = 20;

/** Returns the numbers of the texts that are closest to the query, whether they have words of it or not. */
export function closestTexts(
  closeness: Closeness,
  facts: FactColumns,
  fits: (text: number) => boolean,
): readonly number[] {
  return [...closeness]
    .filter(([, close]) => close >= least)
    .sort(([oneKey, one], [otherKey, other]) => other - one || (oneKey < otherKey ? -1 : 1))
    .flatMap(([key]) => {
      const text = facts.numberOf(key);
      return text !== undefined && fits(text) ? [text] : [];
    })
    .slice(0, mostClosest);
}

/** Puts texts in a new order, where the closeness counts too. */
export function addCloseness(
  byWords: readonly RankedText[],
  closest: readonly RankedText[],
  closeness: Closeness,
): RankedText[] {
  // Without a hit by words there is no score to compare with.
  const best = byWords[0]?.score || 1;
  const known = new Set(byWords.map(({ key }) => key));
  const added = new Set(closest.map(({ key }) => key));
  const all = [...byWords, ...closest.filter(({ key }) => !known.has(key))];
  return all
    .map((text, place) => {
      const counts = place < compared || added.has(text.key);
      return counts ? { ...text, score: text.score + gain * best * (closeness.get(text.key) ?? 0) } : text;
    })
    .sort((one, other) => other.score - one.score || (one.key < other.key ? -1 : 1));
}

/** These texts with their scores by words, in any order. */
export function rankedBy({ scores, half }: ScoredTexts, texts: readonly number[], facts: FactColumns): RankedText[] {
  return texts.flatMap((text) => {
    const key = facts.keys[text];
    const score = scores[text] ?? 0;
    // A text without a word of the query is weak.
    return key === undefined ? [] : [{ key, score, weak: score < half }];
  });
}
