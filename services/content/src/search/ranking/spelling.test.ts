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

it('keeps the terms with the fewest errors, a wrong first letter counting twice', () => {
  const terms = ['restart', 'restore', 'estroe'];
  const similar = () => terms;
  expect(closestTerms(['restroe'], similar)).toEqual(['restore']);
  expect(closestTerms(['sing'], () => ['sign', 'ring', 'sings', 'song'])).toEqual(['sign', 'sings', 'song']);
  expect(closestTerms(['sing'], () => ['ring', 'king'])).toEqual([]);
  expect(closestTerms(['resto', 'restor'], similar)).toEqual(['restore']);
  expect(closestTerms([], similar)).toEqual([]);
});
