import { expect, it } from 'vitest';
import type { Alternative, QueryWord } from './query.js';
import { placesFinder } from './term-places.js';
import { standTogether, withWholePhrases } from './whole-phrases.js';

const wordWith = (how: Alternative['how'], terms: string[]): QueryWord => ({
  word: { text: 'q', start: 0, end: 1 },
  isCommon: false,
  languages: [],
  alternatives: [
    {
      ...{ how, terms, weight: 1, coverage: 0.8 },
      found: { texts: Uint32Array.of(0, 1, 2), scores: Float32Array.of(10, 20, 30), terms },
    },
  ],
});
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
  const terms = phrase.split(' ');
  expect(standTogether(terms, placesFinder([wordWith('synonym', terms)])(text))).toBe(together);
});

const sequences = ['a b', 'a x x x b', 'a b'];
const placesIn = (word: QueryWord, texts: number[]) => texts.map((text) => placesFinder([word])(sequences[text] ?? ''));

it('counts little what stands apart of a synonym, and leaves out other texts', () => {
  const asked = wordWith('synonym', ['a', 'b']);
  const { words, isChanged } = withWholePhrases([asked], [0, 1], placesIn(asked, [0, 1]));
  expect(isChanged).toBe(true);
  const [word] = words;
  const [whole, apart] = word?.alternatives ?? [];
  expect(whole).toMatchObject({ weight: 1, coverage: 0.8, found: { texts: Uint32Array.of(0) } });
  expect(apart).toMatchObject({ weight: 0.1, coverage: 0.3, found: { texts: Uint32Array.of(0, 1) } });
});

it('changes no score without a synonym of several words', () => {
  for (const word of [wordWith('synonym', ['a']), wordWith('spelling', ['a', 'b'])]) {
    const { words, isChanged } = withWholePhrases([word], [0, 1], placesIn(word, [0, 1]));
    expect(isChanged).toBe(false);
    expect(words[0]?.alternatives).toMatchObject([{ weight: 1, found: { texts: Uint32Array.of(0, 1) } }]);
  }
});
