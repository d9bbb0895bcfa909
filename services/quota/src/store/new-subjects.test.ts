import { expect, it } from 'vitest';
import { NewSubjects } from './new-subjects.js';

const counter = { window: 1, count: 2, grants: ['a', 'b'] };

it('a subject is new once, then stored, and has a tally once its counter was seen', () => {
  const subjects = new NewSubjects(() => 0);
  expect([subjects.claim('s'), subjects.claim('s')]).toEqual(['new', 'stored']);
  subjects.markStored('s', counter);
  expect([subjects.claim('s'), subjects.claim('s')]).toEqual([{ window: 1, count: 2 }, 'stored']);
  subjects.markTally('s', { window: 1, count: 3 });
  expect(subjects.claim('s')).toEqual({ window: 1, count: 3 });
});

it('a counter that dropped older ids has no tally, since its size says nothing', () => {
  const subjects = new NewSubjects(() => 0);
  subjects.markStored('s', { ...counter, count: 200 });
  expect(subjects.claim('s')).toBe('stored');
});

it('guesses rest for a second after too many of them were wrong', () => {
  let now = 10_000;
  const subjects = new NewSubjects(() => now);
  subjects.newness.report(31, 31);
  expect(subjects.claim('a')).toBe('new');
  subjects.newness.report(1, 0);
  expect(subjects.claim('b')).toBe('stored');
  subjects.tallies.report(40, 12);
  subjects.markStored('c', counter);
  expect(subjects.claim('c')).toEqual({ window: 1, count: 2 });
  now += 1000;
  expect(subjects.claim('d')).toBe('new');
});
