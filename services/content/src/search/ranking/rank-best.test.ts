import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchText } from '../index/search-text.js';
import { createTextIndex, type WordIndex } from '../index/text-index.js';
import { type Alternative, type QueryWord, readQuery } from './query.js';
import { bestOf, countBefore, fitOf, readInOrder, type ScoredTexts, scoreTexts, strongAmongBest } from './rank.js';
import { coverageShares, raritiesOf, rarity } from './rarity.js';
import { createSynonymRules } from './synonyms.js';

const index = createTextIndex();
const put = (name: string, title: string, body: string): void => {
  const text: SearchText = {
    ...{
      key: `article/org/${name}`,
      kind: 'article',
      site: 'org',
      language: 'en',
      title,
      summary: '',
      tags: [],
      body,
    },
    ...{ author: '', publishedAt: new Date(0), updatedAt: new Date(0), revision: 1, gloss: undefined },
  };
  index.put(text);
};
// Each has the word once more than the one before, among more and more others.
for (let text = 0; text < 150; text++)
  put(
    `text${text}`,
    text < 20 ? 'Quagga' : '',
    `${'okapi '.repeat(1 + (text % 30))}${'zebra forest '.repeat((text * 7) % 40)}`,
  );
const words = readQuery('okapi', index, createSynonymRules([], index.languages));
const scored = scoreTexts(words, index);

describe('the best texts', () => {
  it('are the first of all, wherever they stand before', () => {
    const all = bestOf(scored, scored.texts.slice(), words, index);
    expect(all).toHaveLength(150);
    const order = fc.shuffledSubarray([...scored.texts], { minLength: 150 });
    const property = (texts: number[], least: number): void => {
      const best = bestOf(scored, Uint32Array.from(texts), words, index, least);
      const length = Math.max(least, readInOrder);
      // No further text is put in order, but those of the same score.
      const floor = all[length - 1]?.score ?? 0;
      expect(best).toHaveLength(all.filter(({ score }) => score >= floor).length);
      expect(best.slice(0, length).map(({ key }) => key)).toEqual(all.slice(0, length).map(({ key }) => key));
    };
    fc.assert(fc.property(order, fc.integer({ min: 1, max: 150 }), property), { numRuns: 30 });
  });

  it('of the same score stand in the order of their keys', () => {
    const same = createTextIndex();
    const text = {
      kind: 'article',
      site: 'org',
      language: 'en',
      title: 'Okapi',
      summary: '',
      tags: [],
      body: '',
    } as const;
    const facts = { author: '', publishedAt: new Date(0), updatedAt: new Date(0), revision: 1, gloss: undefined };
    for (const name of ['b', 'a', 'd', 'c']) same.put({ key: `article/org/${name}`, ...text, ...facts });
    const asked = readQuery('okapi', same, createSynonymRules([], ['en']));
    const found = scoreTexts(asked, same);
    expect(bestOf(found, found.texts, asked, same).map(({ key }) => key.at(-1))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are weak by their score alone beyond those that are read in order', () => {
    const all = bestOf(scored, scored.texts.slice(), words, index);
    const { score: middle = 0 } = all[100] ?? {};
    const beyond = bestOf({ ...scored, half: middle }, scored.texts.slice(), words, index).slice(readInOrder);
    expect(beyond.map(({ weak }) => weak)).toEqual(beyond.map(({ score }) => score < middle));
    expect(new Set(beyond.map(({ weak }) => weak)).size).toBe(2);
  });

  it('are weak by their score alone while the index still reads their words', () => {
    const incomplete = Object.create(index, { isIncomplete: { value: true } }) as WordIndex;
    const best = bestOf({ ...scored, half: 0 }, scored.texts.slice(), words, incomplete);
    expect(best).toHaveLength(150);
    expect(best.some(({ weak }) => weak)).toBe(false);
    expect(bestOf(scored, scored.texts.slice(), words, index).every(({ weak }) => weak)).toBe(true);
  });

  it('of some other texts are those that are not weak, at most a number', () => {
    const asked = readQuery('quagga', index, createSynonymRules([], index.languages));
    const found = scoreTexts(asked, index);
    expect(found.texts).toHaveLength(20);
    expect(strongAmongBest(found, found.texts.slice(), asked, index, 10)).toHaveLength(10);
    expect(strongAmongBest(found, found.texts.slice(), asked, index, 30).sort()).toEqual([...found.texts].sort());
    expect(strongAmongBest(scored, scored.texts.slice(), words, index, 10)).toEqual([]);
    expect(strongAmongBest(scored, new Uint32Array(0), words, index, 10)).toEqual([]);
  });
});

it('counts the texts that nearness may put before a score', () => {
  const some: ScoredTexts = { texts: Uint32Array.of(0, 1, 2, 3), scores: Float32Array.of(8, 2, 1, 4), half: 1 };
  expect(countBefore(some, some.texts, 4)).toBe(3);
  expect(countBefore(some, Uint32Array.of(2, 3), 4)).toBe(1);
  expect(countBefore(some, some.texts, 17)).toBe(0);
});

it('fits from 0 to 1, half of that if it is weak', () => {
  expect(fitOf({ score: 2, weak: true }, { half: 2 })).toBe(0.25);
  expect(fitOf({ score: 2, weak: false }, { half: 2 })).toBe(0.75);
  expect(fitOf({ score: 6, weak: false }, { half: 2 })).toBe(0.875);
  expect(fitOf({ score: 0, weak: false }, { half: 0 })).toBe(0.5);
});

describe('the score of a text', () => {
  const alternative = (texts: number[], score: number, coverage: number, weight = 1): Alternative => ({
    ...{ how: 'form', terms: ['x'], weight, coverage },
    found: { texts: Uint32Array.from(texts), scores: Float32Array.from(texts, () => score), terms: ['x'] },
  });
  const word = (...alternatives: Alternative[]): QueryWord => ({
    ...{ word: { text: 'x', start: 0, end: 1 }, isCommon: false, languages: [], alternatives },
  });
  const largest = rarity(0, index.size);
  const scoresOf = (...asked: QueryWord[]): number[] => [...scoreTexts(asked, index).scores];

  it('grows with the share of the query, and is little if nothing of it is certain', () => {
    expect(scoresOf(word(alternative([3], 30, 0.6)))[3]).toBeCloseTo(30 * (1 + 1.5 * 0.6), 4);
    expect(scoresOf(word(alternative([3], 30, 0.5)))[3]).toBeCloseTo(30 * (1 + 1.5 * 0.5) * 0.4, 4);
    expect(scoresOf(word(alternative([3], 30, 0.6, 0.5)))[3]).toBeCloseTo(15 * (1 + 1.5 * 0.6), 4);
  });

  it('is that of the best alternative of a word', () => {
    const scores = scoresOf(
      word(alternative([3, 4], 30, 0.5), alternative([4, 5], 40, 0.8), alternative([4], 10, 0.6)),
    );
    expect(scores[3]).toBeCloseTo(30 * (1 + 1.5 * 0.5) * 0.4, 4);
    expect(scores[4]).toBeCloseTo(40 * (1 + 1.5 * 0.8), 4);
    expect(scores[5]).toBeCloseTo(40 * (1 + 1.5 * 0.8), 4);
    expect(scores.filter((score) => score > 0)).toHaveLength(3);
  });

  it('is little if the text has a small or an unimportant share of the query, unless it has all', () => {
    // Below a quarter of the largest possible score, also with all of the query.
    const low = 0.2 * largest;
    expect(scoresOf(word(alternative([3], low, 0.8)))[3]).toBeCloseTo(low * (1 + 1.5 * 0.8) * 0.4, 4);
    expect(scoresOf(word(alternative([3], low, 1)))[3]).toBeCloseTo(low * 2.5, 4);
    const others = [word(alternative([4], 1, 1)), word(alternative([4], 1, 1))];
    expect(scoresOf(word(alternative([3], 900, 1)), ...others)[3]).toBeCloseTo(900 * 1.5 * 0.4, 4);
  });

  it('counts a rare word more than a frequent one', () => {
    const asked = [word(alternative([3], 50, 1)), word(alternative([...Array(100).keys()], 50, 1))];
    const [rare = 0, frequent = 0] = raritiesOf(asked, index);
    const [, share = 0] = coverageShares([rare, frequent]);
    const weight = (frequent / rare) ** 0.25;
    const scores = scoresOf(...asked);
    expect(scores[3]).toBeCloseTo((50 + 50 * weight) * 2.5, 4);
    expect(scores[4]).toBeCloseTo(50 * weight * (1 + 1.5 * share) * 0.4, 4);
  });

  it('falls for a text where the words of a synonym stand apart', () => {
    const rules = createSynonymRules([{ words: ['giraffe', 'okapi quagga'], from: [] }], index.languages);
    const asked = readQuery('giraffe', index, rules);
    const found = scoreTexts(asked, index);
    const best = bestOf(found, found.texts.slice(), asked, index);
    expect(best).toHaveLength(20);
    const before = new Map(Array.from(found.texts, (text) => [index.facts.keys[text], found.scores[text] ?? 0]));
    // The title and the body of each have one of the words, so they stand apart in all.
    for (const { key, score } of best) expect(score).toBeLessThan((before.get(key) ?? 0) / 4);
  });

  it('fits half at a score that grows with the words', () => {
    const one = word(alternative([3], 1, 1));
    expect(scoreTexts([one], index).half).toBeCloseTo(largest * 1.85, 4);
    expect(scoreTexts([one, one], index).half).toBeCloseTo(largest * 1.85 * 2 ** 0.7, 4);
    expect(scoreTexts([], index).half).toBeCloseTo(largest * 1.85, 4);
  });
});
