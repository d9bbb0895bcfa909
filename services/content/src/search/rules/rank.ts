import { type ReadQuery, termsOf } from '../query/asked-word.js';
import type { TextKey } from '../texts/search-text.js';
import { nearness, nearnessGain } from './nearness.js';
import { isWeak } from './weak.js';
import { type TermPlaces, wordPlaces } from './word-places.js';

/** A text that has a word of the query. */
export interface Candidate {
  readonly key: TextKey;
  readonly score: number;
  /** Its language, a primary tag. */
  readonly language: string;
  /** Where terms stand in the text. */
  places(terms: ReadonlySet<string>): TermPlaces;
}

export interface Ranked extends Pick<Candidate, 'key' | 'score'> {
  readonly weak: boolean;
}

/** How many of the best texts the rules put in order. */
export const readInOrder = 50;

/** Puts the best 50 candidates in order by the rules, those that are weak last. The candidates are given best first. */
export function rank(candidates: readonly Candidate[], { words, texts }: ReadQuery): Ranked[] {
  const terms = termsOf(words);
  const read = ({ key, score, language, places }: Candidate): Ranked => {
    const found = wordPlaces(words, places(terms), language);
    const near = score * (1 + nearnessGain * nearness(words, found));
    return { key, weak: isWeak(words, found, near, texts), score: near };
  };
  const best = candidates.slice(0, readInOrder).map(read).sort(byRank);
  const areAllWeak = best.every(({ weak }) => weak);
  // What a search says of all hits must hold on every list page.
  const others = candidates
    .slice(readInOrder)
    .map((each) => ({ key: each.key, score: each.score, weak: areAllWeak || read(each).weak }));
  return [...best, ...others];
}

function byRank(one: Ranked, other: Ranked): number {
  return Number(one.weak) - Number(other.weak) || other.score - one.score || (one.key < other.key ? -1 : 1);
}
