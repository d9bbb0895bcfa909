import type { Found } from '../index/found.js';
import type { TextKey } from '../index/search-text.js';
import type { WordIndex } from '../index/text-index.js';
import { enoughEvidence, evidenceOf } from './evidence.js';
import { nearness } from './nearness.js';
import { type Alternative, type QueryWord, uncertain } from './query.js';
import { coverageShares, raritiesOf, rarity } from './rarity.js';
import { placesFinder } from './term-places.js';
import { withWholePhrases } from './whole-phrases.js';

/** A text in the order of search results. */
export interface RankedText {
  readonly key: TextKey;
  readonly score: number;
  /** Whether the text fits badly: little shows that it is about the query. */
  readonly weak: boolean;
}

/**
 * How much a text gains that has all words of the query, and one that has them side by side. These numbers and the bounds
 * below were chosen by measurement with the queries of `test/search`.
 */
const gains = { coverage: 1.5, nearness: 1 };
/** How much less a frequent word counts than a rare one, beyond what the index already takes into account. */
const rarityPower = 0.25;
/** The number of best texts whose words are looked at in their order. */
export const readInOrder = 50;
/** A text is doubtful if its words are rarer or less prominent than this share of the largest possible score. */
const leastStrength = 0.25;
/** A text that covers this much of the query is doubtful only if nothing of it is certain. */
const wholeQuery = 0.99;
/** A text that covers less of the query is doubtful. It lacks a rare word or most of the others. */
const leastCoverage = 0.36;
/** How much the score of a doubtful text counts, so that it stands after others. */
const doubtfulShare = 0.4;
/** The score that fits half. For a query of one word it is a multiple of the largest rarity, and it grows with the words. */
const halfFit = { score: 1.85, power: 0.7 };

/** The texts that have any word of a query, with what each of them has of it by its number. */
export interface ScoredTexts {
  readonly texts: Uint32Array;
  readonly scores: Float32Array;
  /** The score of a text that fits half. */
  readonly half: number;
}

/** Ranks the texts that have any word of the query, best first. */
export function rank(words: readonly QueryWord[], index: WordIndex): RankedText[] {
  const scored = scoreTexts(words, index);
  return bestOf(scored, scored.texts, words, index);
}

/**
 * Scores the texts that have any word of the query. The score of a text is the sum over the words, each by its best
 * alternative; it grows with the share of the words that the text has.
 */
export function scoreTexts(words: readonly QueryWord[], index: WordIndex): ScoredTexts {
  return scoreWith(raritiesOf(words, index), words, index);
}

function scoreWith(
  rarities: readonly number[],
  words: readonly QueryWord[],
  { size, endOfNumbers, room }: Pick<WordIndex, 'size' | 'endOfNumbers' | 'room'>,
): ScoredTexts {
  const sums = takeSums(endOfNumbers);
  // The scores stand at the numbers of their texts, so they need all of the room.
  const { texts: found, scores } = room.keep({ ...room.take(endOfNumbers), count: endOfNumbers });
  scores.fill(0);
  const texts = found.subarray(0, total(rarities, words, { texts: found, scores }, sums));
  const { coverage, certain } = sums;
  const largest = rarity(0, size);
  const ceiling = words.length * largest;
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] ?? 0;
    const score = scores[text] ?? 0;
    const covered = coverage[text] ?? 0;
    const isStrong =
      covered >= wholeQuery || (covered >= leastCoverage && (score * covered) / ceiling >= leastStrength);
    const isCertain = certain[text] === 1;
    scores[text] = score * (1 + gains.coverage * covered) * (isCertain && isStrong ? 1 : doubtfulShare);
    coverage[text] = 0;
    certain[text] = 0;
  }
  giveBack(sums);
  return { texts, scores, half: largest * halfFit.score * Math.max(words.length, 1) ** halfFit.power };
}

/** How well a text fits, from 0 to 1, whatever other texts there are. A weak text has less than half, and no other has. */
export function fitOf(
  { score, weak }: Pick<RankedText, 'score' | 'weak'>,
  { half }: Pick<ScoredTexts, 'half'>,
): number {
  const fit = score <= 0 ? 0 : score / (score + half);
  return weak ? fit / 2 : (1 + fit) / 2;
}

/**
 * Puts some of the scored texts in order. The best ones are scored again by the order of their words: more if the words of
 * the query stand near each other, and less if a synonym of several words stands nowhere as a whole. At least the first
 * `least` of them are given.
 */
export function bestOf(
  scored: ScoredTexts,
  texts: Uint32Array,
  words: readonly QueryWord[],
  index: WordIndex,
  least = texts.length,
): RankedText[] {
  const ranked = selectBest(scored, texts, index, Math.max(least, readInOrder));
  const read = readOrder(ranked.slice(0, readInOrder), words, index).sort(byWeakness);
  return [...read, ...ranked.slice(readInOrder)];
}

/** The numbers of the texts that are not weak, among the best ones by score. */
export function strongAmongBest(
  scored: ScoredTexts,
  texts: Uint32Array,
  words: readonly QueryWord[],
  index: WordIndex,
  most: number,
): number[] {
  if (texts.length === 0) return [];
  const best = selectBest(scored, texts, index, most).slice(0, most);
  return readOrder(best, words, index).flatMap(({ text, weak }) => (weak ? [] : [text]));
}

// A list page is made again when the words of its texts were read. The choice of texts is the same then.
const chosen = new WeakMap<Uint32Array, { readonly count: number; readonly ranked: readonly Ranked[] }>();

function selectBest(
  { scores, half }: ScoredTexts,
  texts: Uint32Array,
  { facts }: WordIndex,
  count: number,
): readonly Ranked[] {
  const before = chosen.get(texts);
  if (before?.count === count) return before.ranked;
  const floor = floorOf(scores, texts, count);
  const ranked: Ranked[] = [];
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] ?? 0;
    const score = scores[text] ?? 0;
    const key = score < floor ? undefined : facts.keys[text];
    // Of the best ones the evidence decides.
    if (key !== undefined) ranked.push({ text, key, score, weak: score < half });
  }
  ranked.sort(byRank);
  chosen.set(texts, { count, ranked });
  return ranked;
}

type Ranked = RankedText & { readonly text: number };

function readOrder(best: readonly Ranked[], words: readonly QueryWord[], index: WordIndex): Ranked[] {
  const texts = best.map(({ text }) => text);
  const sequences = texts.map((text) => index.sequence(text));
  // The step runs again when they were read.
  if (index.isIncomplete) return [...best];
  const rarities = raritiesOf(words, index);
  const places = sequences.map(placesFinder(words));
  const { isChanged, words: found } = withWholePhrases(words, texts, places);
  const again = isChanged ? scoreWith(rarities, found, index) : undefined;
  const near = places.map((each) => nearness(words, rarities, each));
  const evidence = evidenceOf({ words, found, rarities, largest: rarity(0, index.size), texts, near, index });
  return best.map((each, place) => {
    const score = again === undefined ? each.score : (again.scores[each.text] ?? 0);
    const weak = (evidence[place] ?? 0) < enoughEvidence;
    return { ...each, weak, score: score * (1 + gains.nearness * (near[place] ?? 0)) };
  });
}

/** The number of texts that may stand before a score, or at it. */
export function countBefore({ scores }: ScoredTexts, texts: Uint32Array, score: number): number {
  // The nearness of the words may have raised the others up to this factor.
  const least = score / (1 + gains.nearness);
  return texts.reduce((count, text) => ((scores[text] ?? 0) >= least ? count + 1 : count), 0);
}

/** The score of the last one of the best. Most texts stand below it, and need no order. */
function floorOf(scores: Float32Array, texts: Uint32Array, count: number): number {
  if (texts.length <= count) return 0;
  // A heap of the best scores, with the lowest of them first.
  const best = Float32Array.from(texts.subarray(0, count), (text) => scores[text] ?? 0).sort();
  for (let at = count; at < texts.length; at++) {
    const score = scores[texts[at] ?? 0] ?? 0;
    if (score > (best[0] ?? 0)) replaceLowest(best, score);
  }
  return best[0] ?? 0;
}

function replaceLowest(heap: Float32Array, score: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if ((heap[child + 1] ?? Number.POSITIVE_INFINITY) < (heap[child] ?? Number.POSITIVE_INFINITY)) child++;
    const lower = heap[child];
    if (lower === undefined || lower >= score) break;
    heap[at] = lower;
    at = child;
  }
  heap[at] = score;
}

/** What texts have of a query so far, by their numbers. */
interface Sums {
  readonly having: Uint32Array;
  /** The share of the query that a text has, from 0 to 1. Rare words count more. */
  readonly coverage: Float32Array;
  /** 1 for a text that has a word itself, or what means the same, and no mere resemblance. */
  readonly certain: Uint8Array;
  /** What a text has of one word. */
  readonly word: { readonly scores: Float32Array; readonly covered: Float32Array };
}

// The next query uses the same arrays again. New ones for 100,000 texts cost more than the sums. Who gives
// them back has left zeros in all of them but the first.
let spare: Sums | undefined;

function takeSums(endOfNumbers: number): Sums {
  const free = spare;
  spare = undefined;
  if (free !== undefined && free.having.length >= endOfNumbers) return free;
  return {
    having: new Uint32Array(endOfNumbers),
    coverage: new Float32Array(endOfNumbers),
    certain: new Uint8Array(endOfNumbers),
    word: { scores: new Float32Array(endOfNumbers), covered: new Float32Array(endOfNumbers) },
  };
}

function giveBack(sums: Sums): void {
  spare = sums;
}

/** Adds up what the texts have of the words. Returns the number of texts that have any. */
function total(
  rarities: readonly number[],
  words: readonly QueryWord[],
  { texts, scores }: Pick<Found, 'texts' | 'scores'>,
  { having, coverage, certain, word }: Sums,
): number {
  let count = 0;
  const shares = coverageShares(rarities);
  const rarest = Math.max(...rarities);
  for (const [at, { alternatives }] of words.entries()) {
    const share = shares[at] ?? 0;
    const weight = ((rarities[at] ?? 0) / rarest) ** rarityPower;
    const [only] = alternatives;
    if (only !== undefined && alternatives.length === 1) {
      count = addOnly(only, { weight, share }, { texts, scores, coverage, certain }, count);
      continue;
    }
    const end = bestAlternatives(alternatives, word, having, certain);
    for (let each = 0; each < end; each++) {
      const text = having[each] ?? 0;
      const before = coverage[text] ?? 0;
      if (before === 0) texts[count++] = text;
      scores[text] = (scores[text] ?? 0) + (word.scores[text] ?? 0) * weight;
      coverage[text] = before + (word.covered[text] ?? 0) * share;
      word.scores[text] = 0;
      word.covered[text] = 0;
    }
  }
  return count;
}

/** Adds what texts have of a word with one alternative, which needs no comparison. Returns the number of texts so far. */
function addOnly(
  { weight: ownWeight, coverage: covered, found }: Alternative,
  { weight, share }: { readonly weight: number; readonly share: number },
  { texts, scores, coverage, certain }: Pick<Sums, 'coverage' | 'certain'> & Pick<Found, 'texts' | 'scores'>,
  before: number,
): number {
  const part = covered * share;
  const isCertain = covered > uncertain;
  let count = before;
  for (let at = 0; at < found.texts.length; at++) {
    const text = found.texts[at] ?? 0;
    const known = coverage[text] ?? 0;
    if (known === 0) texts[count++] = text;
    coverage[text] = known + part;
    scores[text] = (scores[text] ?? 0) + (found.scores[at] ?? 0) * ownWeight * weight;
    if (isCertain) certain[text] = 1;
  }
  return count;
}

/** Notes what each text has of a word by its best alternative, and the texts that have any. Returns their number. */
function bestAlternatives(
  alternatives: QueryWord['alternatives'],
  { scores, covered }: Sums['word'],
  having: Uint32Array,
  certain: Uint8Array,
): number {
  let count = 0;
  for (const { weight, coverage, found } of alternatives) {
    const isCertain = coverage > uncertain;
    for (let at = 0; at < found.texts.length; at++) {
      const text = found.texts[at] ?? 0;
      const score = found.scores[at] ?? 0;
      const known = covered[text] ?? 0;
      if (known === 0) having[count++] = text;
      if (known < coverage) covered[text] = coverage;
      if ((scores[text] ?? 0) < score * weight) scores[text] = score * weight;
      if (isCertain) certain[text] = 1;
    }
  }
  return count;
}

/** Sorts weak texts after all others. */
function byWeakness(a: RankedText, b: RankedText): number {
  return Number(a.weak) - Number(b.weak) || byRank(a, b);
}

function byRank(a: RankedText, b: RankedText): number {
  return b.score - a.score || (a.key < b.key ? -1 : 1);
}
