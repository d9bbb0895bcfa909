import { expect, it } from 'vitest';
import { FactColumns } from '../index/fact-columns.js';
import { evidenceOf } from './evidence.js';
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
  const found = { texts: Uint32Array.from(texts), scores: Float64Array.from(texts, () => score), terms: ['x'] };
  return { how: 'form', terms: ['x'], weight: 1, coverage: 1, found, ...rest };
}

const wordOf = (alternatives: Alternative[], part: Partial<QueryWord> = {}): QueryWord => ({
  word: { text: 'x', start: 0, end: 1 },
  ...{ alternatives, isCommon: false, languages: [], ...part },
});

/** The evidence of the first text, or of others, for some words. */
function evidence(words: QueryWord[], { texts = [0], near = 0, rarity = largest } = {}): number[] {
  const rarities = words.map(() => rarity);
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
  const unknown = wordOf([], { languages: ['en', 'de'] });
  const words = (text: number) => [
    wordOf([alternativeOf({ texts: [text] })], { languages: ['en', 'de'] }),
    unknown,
    unknown,
  ];
  const [english = 0] = evidence(words(20), { texts: [20] });
  const [german = 0] = evidence(words(0), { texts: [0] });
  expect(english).toBeCloseTo((0.5 * (1 + 0.75 / 3)) / 3 ** 0.7, 10);
  expect(german).toBeCloseTo((0.5 * (1 + 0.75 / 3)) / 2 ** 0.7, 10);
});

it('is nothing without words', () => {
  expect(evidence([], { texts: [0, 1] })).toEqual([0, 0]);
});
