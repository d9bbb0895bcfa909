import { expect, it } from 'vitest';
import type { Alternative, QueryWord } from './query.js';
import { standTogether, withWholePhrases } from './whole-phrases.js';

it.each([
  ['a b', 'x a b', true],
  ['a b', 'b a', true],
  ['a b', 'a x b', true],
  ['a b', 'a x x b', false],
  ['a b', 'a x x b x a', true],
  ['a b c', 'c x a b', true],
  ['a b c', 'c x x a b', false],
  ['a b', 'a a a', false],
  ['a b', '', false],
])('tells whether %j stands together in %j', (phrase, text, together) => {
  expect(standTogether(phrase.split(' '), text.split(' '))).toBe(together);
});

const wordWith = (how: Alternative['how'], terms: string[]): QueryWord => ({
  word: { text: 'q', start: 0, end: 1 },
  isCommon: false,
  languages: [],
  alternatives: [
    {
      ...{ how, terms, weight: 1, coverage: 0.8 },
      found: { texts: Uint32Array.of(0, 1, 2), scores: Float64Array.of(10, 20, 30), terms },
    },
  ],
});
const sequences = ['a b', 'a x x x b', 'a b'];
const index = { sequence: (text: number) => sequences[text] ?? '' };

it('counts little what stands apart of a synonym, and leaves out other texts', () => {
  const { words, isChanged } = withWholePhrases([wordWith('synonym', ['a', 'b'])], [0, 1], index);
  expect(isChanged).toBe(true);
  const [word] = words;
  const [whole, apart] = word?.alternatives ?? [];
  expect(whole).toMatchObject({ weight: 1, coverage: 0.8, found: { texts: Uint32Array.of(0) } });
  expect(apart).toMatchObject({ weight: 0.1, coverage: 0.3, found: { texts: Uint32Array.of(0, 1) } });
});

it('changes no score without a synonym of several words', () => {
  for (const word of [wordWith('synonym', ['a']), wordWith('spelling', ['a', 'b'])]) {
    const { words, isChanged } = withWholePhrases([word], [0, 1], index);
    expect(isChanged).toBe(false);
    expect(words[0]?.alternatives).toMatchObject([{ weight: 1, found: { texts: Uint32Array.of(0, 1) } }]);
  }
});
