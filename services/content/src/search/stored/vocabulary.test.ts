import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createVocabulary } from './vocabulary.js';

it('finds the terms that differ by a few letters, as a plain comparison of all does', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcdé'), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 12 }), word, fc.constantFrom(1, 2), (terms, wanted, most) => {
      const vocabulary = createVocabulary();
      for (const term of terms) vocabulary.learn(term);
      const found = vocabulary.similar(wanted, most).map(({ term }) => term);
      const near = terms.filter((term) => term !== wanted && distance(term, wanted) <= most);
      expect([...found].sort()).toEqual(near.sort());
    }),
  );
});

it('finds longer terms with the same beginning, the shortest first', () => {
  const vocabulary = createVocabulary();
  for (const term of ['cluster', 'clustered', 'club', 'clu', 'other', 'club']) vocabulary.learn(term);
  expect(vocabulary.beginning('clu')).toEqual(['club', 'cluster', 'clustered']);
  expect(vocabulary.size).toBe(5);
  expect(vocabulary.has('club')).toBe(true);
  expect(vocabulary.has('clubs')).toBe(false);
});

function distance(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  return Math.min(
    distance(one.slice(1), other.slice(1)) + Number(one[0] !== other[0]),
    distance(one.slice(1), other) + 1,
    distance(one, other.slice(1)) + 1,
  );
}
