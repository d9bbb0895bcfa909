import type { WordIndex } from '../index/text-index.js';
import { type Alternative, type QueryWord, uncertain } from './query.js';
import { languagesOfTexts } from './query-languages.js';
import { coverageShares } from './rarity.js';

/**
 * How a text shows that it is about a query. The numbers were fitted to the queries of the set `dev` of `test/search`, one after
 * the other until none gained, so that few helpful texts are weak and few others are not. Most of them may differ by a
 * quarter without a loss.
 */
const evidence = {
  /** A word with this score, as a multiple of the largest rarity, counts half of what it can count. */
  half: 6,
  /** How much a common word counts. */
  common: 0.3,
  /** How much of a word a text is expected to have that no text in its language has. */
  otherLanguage: 0.5,
  /** A language with as many texts has the words of its queries, if any of them is about the query. */
  manyTexts: 20,
  /** How the evidence that is enough grows with the number of words. */
  power: 0.7,
  coverage: 0.75,
  nearness: 2,
  /** Of rarer words, coverage and nearness count in full. Any text has some frequent words side by side. */
  tellingRarity: 0.5,
  /** A query of at most this many words, without common ones, is short. */
  shortQuery: 3,
  /** The share that a text needs of a short query. With less it lacks what the query is about. */
  leastShare: 0.5,
  /** How much the nearness of the words adds to that share. The rest of the query stands as a phrase then. */
  phraseShare: 0.5,
  lackPower: 3,
};

/** The evidence of a text that just is about a query. With less the text is weak. */
export const enoughEvidence = 0.23;

/** In the order of texts a word comes before its synonyms. As evidence they count nearly the same. */
const evenly: Readonly<Partial<Record<Alternative['how'], number>>> = { synonym: 1.8, loose: 0.6, prefix: 0 };

export interface EvidenceInput {
  readonly words: readonly QueryWord[];
  /** The same words with what only these texts have of them. */
  readonly found: readonly QueryWord[];
  readonly rarities: readonly number[];
  /** The rarity of a word that no text has. */
  readonly largest: number;
  /** By their numbers in the index. */
  readonly texts: readonly number[];
  /** How near the words stand in each of the texts, from 0 to 1. */
  readonly near: readonly number[];
  readonly index: Pick<WordIndex, 'facts'>;
}

/**
 * Measures for each text how much shows that it is about the query. A word counts by its score, which a title raises, but no word
 * counts for all: one word, however prominent, says little about a question. A text with most of the rare words gains, and
 * so does one that has the words side by side. A text that lacks the rare word of a short query loses most.
 */
export function evidenceOf({ words, found, rarities, largest, texts, near, index }: EvidenceInput): number[] {
  const places = new Map(texts.map((text, place) => [text, place]));
  const shares = coverageShares(rarities);
  const best = found.map(({ alternatives }) => bestAlternatives(alternatives, places));
  const rarity = sumOf(rarities) / largest;
  const telling = words.length === 1 ? 1 : Math.min(1, rarity / evidence.tellingRarity);
  const expectedIn = expectations(words, index);
  const wordCount = words.filter(({ isCommon }) => !isCommon).length;
  const isShort = wordCount > 1 && wordCount <= evidence.shortQuery;
  return texts.map((text, place) => {
    const expected = expectedIn(index.facts.language[text] ?? 0);
    const nearby = near[place] ?? 0;
    let sum = 0;
    let covered = 0;
    for (const [at, { scores, coverages }] of best.entries()) {
      const score = (scores[place] ?? 0) / largest;
      sum += ((words[at]?.isCommon ? evidence.common : 1) * score) / (score + evidence.half);
      covered += (coverages[place] ?? 0) * (shares[at] ?? 0);
    }
    const gain = (1 + telling * evidence.coverage * covered) * (1 + telling * evidence.nearness * nearby);
    const all = (sum / Math.max(1, sumOf(expected)) ** evidence.power) * gain;
    if (!isShort) return all;
    const wanted = shares.map((share, at) => (words[at]?.isCommon ? 0 : share * (expected[at] ?? 0)));
    // What only resembles a word counts here too, since the word may be misspelled.
    const having = sumOf(wanted.filter((_, at) => (best[at]?.coverages[place] ?? 0) > 0));
    const share = having / sumOf(wanted) + evidence.phraseShare * nearby;
    return all * Math.min(1, share / evidence.leastShare) ** evidence.lackPower;
  });
}

/**
 * Measures how much a text in a language (its code) is expected to have of each word. A word that no text in the language has is
 * expected less, since the query may be in another one. It is expected if the query is in that language, and many texts are.
 */
function expectations(
  words: readonly QueryWord[],
  { facts }: EvidenceInput['index'],
): (language: number) => readonly number[] {
  const known = words.map(({ alternatives }) => {
    const sure = alternatives.filter(({ coverage }) => coverage > uncertain);
    return new Set(sure.flatMap(({ found }) => [...languagesOfTexts(found.texts, { facts })]));
  });
  const expected = new Map<number, readonly number[]>();
  return (code) => {
    const before = expected.get(code);
    if (before !== undefined) return before;
    const language = facts.languages.value(code);
    const isOwn = words[0]?.languages.includes(language) && facts.countOf(language) >= evidence.manyTexts;
    const each = known.map((languages) => (isOwn || languages.has(language) ? 1 : evidence.otherLanguage));
    expected.set(code, each);
    return each;
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}

function bestAlternatives(alternatives: QueryWord['alternatives'], places: ReadonlyMap<number, number>) {
  const scores = new Float64Array(places.size);
  const coverages = new Float64Array(places.size);
  for (const { how, weight, coverage, found } of alternatives) {
    // A synonym whose words stand apart means something else.
    const isApart = how === 'synonym' && coverage <= uncertain;
    const factor = isApart ? weight : weight * (evenly[how] ?? 1);
    for (let each = 0; each < found.texts.length; each++) {
      const place = places.get(found.texts[each] ?? -1);
      if (place === undefined) continue;
      scores[place] = Math.max(scores[place] ?? 0, (found.scores[each] ?? 0) * factor);
      coverages[place] = Math.max(coverages[place] ?? 0, coverage);
    }
  }
  return { scores, coverages };
}
