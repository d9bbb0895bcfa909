import { expect, it } from 'vitest';
import { nearness } from './nearness.js';
import type { QueryWord } from './query.js';
import { placesFinder } from './term-places.js';

/** A word that no text has. */
const nowhere = 'nowhere';
const words = (...asked: string[]): QueryWord[] =>
  asked.map((terms) => ({
    ...{ word: { text: terms, start: 0, end: 1 }, isCommon: false, languages: [] },
    alternatives: terms.split('|').flatMap((each) =>
      each === nowhere
        ? []
        : {
            ...{ how: 'form', terms: each.split('+'), weight: 1, coverage: 1 },
            found: { texts: new Uint32Array(0), scores: new Float32Array(0), terms: [] },
          },
    ),
  }));
const near = (asked: string[], sequence: string, rarities = asked.map(() => 1)): number => {
  const each = words(...asked);
  return nearness(each, rarities, placesFinder(each)(sequence));
};

it.each([
  ['okapi zebra', 1],
  ['x okapi zebra', 1],
  ['okapi x zebra', 1 / 2],
  ['okapi x x x x x x x zebra', 1 / 8],
  ['okapi x x x x x x x x zebra', 0],
  ['zebra okapi', 1 / 2],
  ['zebra x x x x x x okapi', 1 / 8],
  ['zebra x x x x x x x okapi', 0],
  ['okapi x x x zebra x okapi zebra', 1],
  ['zebra x x x x x x x x x okapi x zebra', 1 / 2],
  ['okapi', 0],
  ['zebra', 0],
  ['', 0],
  ['okapis zebras', 0],
])('of two words in %j is %d', (sequence, expected) => {
  expect(near(['okapi', 'zebra'], sequence)).toBeCloseTo(expected, 10);
});

it('is nothing for one word, and for words that are in every text', () => {
  expect(near(['okapi'], 'okapi okapi')).toBe(0);
  expect(near(['okapi', 'zebra'], 'okapi zebra', [0, 0])).toBe(0);
});

it('counts two neighbours as much as the more frequent of them is rare', () => {
  expect(near(['okapi', 'zebra', 'quagga'], 'okapi zebra', [2, 4, 6])).toBeCloseTo(2 / (2 + 4), 10);
  expect(near(['okapi', 'zebra', 'quagga'], 'zebra quagga okapi', [2, 4, 6])).toBeCloseTo((4 + 2 / 3) / 6, 10);
});

it('leaves words out that no text has', () => {
  expect(near([nowhere, 'okapi', nowhere, 'zebra', nowhere], 'okapi zebra', [9, 2, 9, 4, 9])).toBe(1);
  expect(near([nowhere, 'okapi'], 'okapi')).toBe(0);
});

it('takes each alternative of a word, and one term for several words', () => {
  expect(near(['okapi|forest+giraffe', 'zebra'], 'giraffe zebra')).toBe(1);
  expect(near(['okapi|ok', 'zebra|ok'], 'ok x ok')).toBe(1 / 2);
  expect(near(['okapi|ok', 'zebra|ok'], 'ok')).toBe(0);
});

it('looks at the first 5,000 terms', () => {
  expect(near(['okapi', 'zebra'], `${'x '.repeat(4_998)}okapi zebra`)).toBe(1);
  expect(near(['okapi', 'zebra'], `${'x '.repeat(4_999)}okapi zebra`)).toBe(0);
});
