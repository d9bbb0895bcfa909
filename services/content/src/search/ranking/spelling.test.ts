import fc from 'fast-check';
import { expect, it } from 'vitest';
import { closestTerms, countErrors } from './spelling.js';

it.each([
  ['restore', 'restore', 0],
  ['restroe', 'restore', 1],
  ['restoer', 'restore', 1],
  ['restor', 'restore', 1],
  ['restores', 'restore', 1],
  ['resture', 'restore', 1],
  ['erstroe', 'restore', 2],
  ['ab', 'ba', 1],
  ['', 'abc', 3],
])('counts the errors between %j and %j', (one, other, errors) => {
  expect(countErrors(one, other)).toBe(errors);
  expect(countErrors(other, one)).toBe(errors);
});

it('counts no more errors than the longer word has letters, and none only for the same word', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      const errors = countErrors(one, other);
      expect(errors).toBeLessThanOrEqual(Math.max(one.length, other.length));
      expect(errors).toBeGreaterThanOrEqual(Math.abs(one.length - other.length));
      expect(errors === 0).toBe(one === other);
      expect(countErrors(other, one)).toBe(errors);
    }),
  );
});

it('keeps the terms with the fewest errors and the same beginning', () => {
  const closest = (word: string, others: readonly string[], term = word): string[] =>
    closestTerms(word, [{ term }], () => others).map((own) => own.term);
  expect(closest('restroe', ['restart', 'restore', 'estroe'])).toEqual(['restore']);
  expect(closest('excercise', ['exercise', 'excerpt', 'axcercise'])).toEqual(['exercise']);
  expect(closest('vaccination', ['machin'], 'vaccin')).toEqual([]);
  expect(closest('battery', ['letter'], 'batteri')).toEqual([]);
  // The errors are those of the stem, which is shorter than the word.
  expect(closest('leasing', ['lead', 'least'], 'leas')).toEqual([]);
  expect(closest('breeding', ['break'], 'breed')).toEqual([]);
  expect(closest('breeding', ['creed', 'bread', 'breeze'], 'breed')).toEqual(['bread']);
  // Too many other words are near a short one.
  expect(closest('sing', ['sign', 'ring', 'sings', 'song'])).toEqual([]);
  expect(closest('backup', ['back'])).toEqual([]);
  expect(closestTerms('restore', [], () => [])).toEqual([]);
});
