import { expect, it } from 'vitest';
import { FactColumns } from '../index/fact-columns.js';
import type { TextKey } from '../index/search-text.js';
import { addCloseness, closestTexts, compared, rankedBy } from './closeness.js';

const keyOf = (text: number): TextKey => `article/org/${String(text).padStart(2, '0')}`;
const facts = new FactColumns();
for (let text = 0; text < 60; text++) {
  const shown = { key: keyOf(text), site: 'org', kind: 'article', author: '', tags: [], language: 'en' } as const;
  facts.put(text, { ...shown, updatedAt: new Date(0) });
}
const closenessOf = (...close: [number, number][]) => new Map(close.map(([text, value]) => [keyOf(text), value]));

it('takes the closest texts that fit, at most 20, and none below its bound', () => {
  const closeness = closenessOf([3, 1.5], [2, 2], [1, 2], [4, 1.49], [5, 3], [99, 4]);
  expect(closestTexts(closeness, facts, () => true)).toEqual([5, 1, 2, 3]);
  expect(closestTexts(closeness, facts, (text) => text !== 1)).toEqual([5, 2, 3]);
  const many = closenessOf(...Array.from({ length: 30 }, (_, text): [number, number] => [text, 2 + text]));
  expect(closestTexts(many, facts, () => true)).toEqual(Array.from({ length: 20 }, (_, place) => 29 - place));
});

it('adds the closeness to the best hits by words and to the closest texts, as a share of the best score', () => {
  const hit = (text: number, score: number) => ({ key: keyOf(text), score, weak: false });
  const closeness = closenessOf([0, 1], [1, 5], [2, 2]);
  const ordered = addCloseness([hit(0, 10), hit(1, 9), hit(3, 8)], [hit(1, 9), hit(2, 0)], closeness);
  expect(ordered.map(({ key, score }) => [key, Number(score.toFixed(6))])).toEqual([
    [keyOf(1), 9 + 0.08 * 10 * 5],
    [keyOf(0), 10 + 0.08 * 10],
    [keyOf(3), 8],
    [keyOf(2), 0.08 * 10 * 2],
  ]);
  const [alone] = addCloseness([], [hit(2, 0)], closeness);
  expect(alone?.score).toBeCloseTo(0.08 * 2, 10);
  expect(addCloseness([hit(7, 1), hit(6, 1)], [], closeness).map(({ key }) => key)).toEqual([keyOf(6), keyOf(7)]);
});

it('adds nothing to hits beyond those that are compared, unless they are among the closest', () => {
  const byWords = Array.from({ length: 60 }, (_, text) => ({ key: keyOf(text), score: 100 - text, weak: false }));
  const closeness = closenessOf([compared - 1, 10], [compared, 10], [55, 10]);
  const closest = [{ key: keyOf(55), score: 45, weak: false }];
  const scoreOf = new Map(addCloseness(byWords, closest, closeness).map(({ key, score }) => [key, score]));
  expect(scoreOf.get(keyOf(compared - 1))).toBe(100 - (compared - 1) + 80);
  expect(scoreOf.get(keyOf(compared))).toBe(100 - compared);
  expect(scoreOf.get(keyOf(55))).toBe(45 + 80);
});

it('gives texts their scores by words, and without a word they are weak', () => {
  const scores = new Float32Array(60);
  scores[1] = 4;
  scores[2] = 3;
  expect(rankedBy({ texts: new Uint32Array(0), scores, half: 4 }, [1, 2, 3, 99], facts)).toEqual([
    { key: keyOf(1), score: 4, weak: false },
    { key: keyOf(2), score: 3, weak: true },
    { key: keyOf(3), score: 0, weak: true },
  ]);
});
