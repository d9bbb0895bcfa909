import { describe, expect, it } from 'vitest';
import { FactColumns } from '../index/fact-columns.js';
import { enoughEvidence, evidenceOf } from './evidence.js';
import type { Alternative, QueryWord } from './query.js';

const largest = 5;
const facts = new FactColumns();
for (let text = 0; text < 30; text++) {
  const language = text < 10 ? 'de' : 'en';
  const shown = { key: `article/org/${text}`, site: 'org', kind: 'article', author: '', tags: [] } as const;
  facts.put(text, { ...shown, language, updatedAt: new Date(0) });
}

function alternativeOf(
  part: Partial<Alternative> & { readonly texts?: number[]; readonly score?: number },
): Alternative {
  const { texts = [0], score = 30, ...rest } = part;
  const found = { texts: Uint32Array.from(texts), scores: Float32Array.from(texts, () => score), terms: ['x'] };
  return { how: 'form', terms: ['x'], weight: 1, coverage: 1, found, ...rest };
}

const wordOf = (alternatives: Alternative[], part: Partial<QueryWord> = {}): QueryWord => ({
  word: { text: 'x', start: 0, end: 1 },
  ...{ alternatives, isCommon: false, languages: [], ...part },
});

/** The evidence of the first text, or of others, for some words. */
function evidence(
  words: QueryWord[],
  { texts = [0], near = 0, rarity = largest, rarities = words.map((): number => rarity) } = {},
): number[] {
  return evidenceOf({ words, found: words, rarities, largest, texts, near: texts.map(() => near), index: { facts } });
}

const [one = 0] = evidence([wordOf([alternativeOf({})])]);

it('counts half of a word at some score, and more if the text has all of the query', () => {
  expect(one).toBeCloseTo(0.5 * 1.75, 10);
  expect(evidence([wordOf([alternativeOf({ coverage: 0.6 })])])[0]).toBeCloseTo(0.5 * (1 + 0.75 * 0.6), 10);
});

it('counts the best alternative of a word, and only for the texts that have it', () => {
  const [best] = evidence([wordOf([alternativeOf({ score: 5 }), alternativeOf({}), alternativeOf({ score: 10 })])]);
  expect(best).toBeCloseTo(one, 10);
  const all = evidence([wordOf([alternativeOf({ texts: [7, 2, 9] }), alternativeOf({ texts: [3], coverage: 0.6 })])], {
    texts: [1, 2, 3],
  });
  expect(all[0]).toBe(0);
  expect(all[1]).toBeCloseTo(one, 10);
  expect(all[2]).toBeLessThan(one);
});

it('counts a synonym nearly as the word, unless its words stand apart', () => {
  const of = (how: Alternative['how'], coverage: number): number =>
    evidence([wordOf([alternativeOf({ how, coverage })])])[0] ?? 0;
  expect(of('synonym', 0.8)).toBeGreaterThan(of('form', 0.8));
  expect(of('synonym', 0.3)).toBe(of('form', 0.3));
  expect(of('synonym', 0.5)).toBe(of('form', 0.5));
  expect(of('loose', 0.3)).toBeLessThan(of('form', 0.3));
  expect(of('prefix', 0.5)).toBe(0);
});

it('counts a common word little', () => {
  expect(evidence([wordOf([alternativeOf({})], { isCommon: true })])[0]).toBeCloseTo(one * 0.3, 10);
});

it('counts nearness and coverage less if all words are frequent, except for one word', () => {
  const two = [wordOf([alternativeOf({})]), wordOf([alternativeOf({})])];
  const rare = evidence(two, { near: 1 })[0] ?? 0;
  // Together as rare as half of the largest rarity: they count in full. At a quarter they count half.
  expect(evidence(two, { near: 1, rarity: largest / 4 })[0]).toBeCloseTo(rare, 10);
  const base = 1 / 2 ** 0.7;
  expect(rare).toBeCloseTo(base * 1.75 * 3, 10);
  expect(evidence(two, { near: 1, rarity: largest / 8 })[0]).toBeCloseTo(base * 1.375 * 2, 10);
  expect(evidence([wordOf([alternativeOf({})])], { rarity: largest / 100 })[0]).toBeCloseTo(one, 10);
});

it('expects half of a word that no text in the language of a text has', () => {
  const german = wordOf([alternativeOf({ texts: [0] })]);
  const words = [german, german, wordOf([alternativeOf({ texts: [20] })])];
  const [inGerman = 0] = evidence(words, { texts: [0] });
  // Two words are known in German, and the third counts half.
  expect(inGerman).toBeCloseTo((2 * 0.5 * (1 + (0.75 * 2) / 3)) / 2.5 ** 0.7, 10);
});

it('expects every word in the language of the query, if 20 texts and more are in it', () => {
  const languages = ['en', 'de'];
  const unknown = wordOf([], { languages });
  const words = (text: number) => [
    wordOf([alternativeOf({ texts: [text] })], { languages }),
    ...[unknown, unknown, unknown],
  ];
  const [english = 0] = evidence(words(20), { texts: [20] });
  const [german = 0] = evidence(words(0), { texts: [0] });
  expect(english).toBeCloseTo((0.5 * (1 + 0.75 / 4)) / 4 ** 0.7, 10);
  expect(german).toBeCloseTo((0.5 * (1 + 0.75 / 4)) / 2.5 ** 0.7, 10);
});

describe('of a short query', () => {
  const word = wordOf([alternativeOf({})]);
  const missing = wordOf([alternativeOf({ texts: [9] })]);
  const nowhere = wordOf([]);
  const common = wordOf([], { isCommon: true });

  it('is much less if a text has less than half of it, by the rarity of the words', () => {
    const half = evidence([word, missing])[0] ?? 0;
    expect(half).toBeCloseTo((0.5 * (1 + 0.75 / 2)) / 2 ** 0.7, 10);
    const third = evidence([word, missing, missing])[0] ?? 0;
    expect(third).toBeCloseTo(((0.5 * (1 + 0.75 / 3)) / 3 ** 0.7) * (2 / 3) ** 3, 10);
    const rareMissing = evidence([word, missing], { rarities: [1, largest] })[0] ?? 0;
    const rareFound = evidence([word, missing], { rarities: [largest, 1] })[0] ?? 0;
    expect(rareMissing).toBeLessThan(rareFound / 5);
  });

  it('counts a word that no text has as the rarest', () => {
    const rarities = [1, largest];
    expect(evidence([word, nowhere], { rarities })[0]).toBeLessThan(enoughEvidence);
    expect(evidence([word, word], { rarities })[0]).toBeGreaterThan(enoughEvidence);
  });

  it('leaves common words out, and counts what resembles a word', () => {
    const alike = wordOf([alternativeOf({ how: 'spelling', coverage: 0.2, weight: 0.5 })]);
    const rarities = [1, largest];
    const withCommon = evidence([word, common], { rarities })[0] ?? 0;
    expect(withCommon).toBeGreaterThan(evidence([word, nowhere], { rarities })[0] ?? 1);
    expect(evidence([word, alike], { rarities })[0]).toBeGreaterThan(enoughEvidence);
  });

  it('is more if the words that a text has stand as a phrase', () => {
    const words = [word, word, nowhere];
    const rarities = [0.5, 0.5, largest];
    const apart = evidence(words, { rarities })[0] ?? 0;
    const phrase = evidence(words, { rarities, near: 1 })[0] ?? 0;
    expect(apart).toBeLessThan(enoughEvidence);
    expect(phrase).toBeGreaterThan(enoughEvidence);
  });

  it('has at most three words beside common ones', () => {
    const rarities = [1, largest, largest, largest];
    const four = evidence([word, nowhere, nowhere, nowhere], { rarities })[0] ?? 0;
    const three = evidence([word, nowhere, nowhere, common], { rarities })[0] ?? 0;
    expect(four).toBeGreaterThan(10 * three);
  });
});

it('is nothing without words', () => {
  expect(evidence([], { texts: [0, 1] })).toEqual([0, 0]);
});
