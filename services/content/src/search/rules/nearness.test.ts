import { expect, it } from 'vitest';
import type { AskedWord } from '../query/asked-word.js';
import { nearness } from './nearness.js';
import { wordPlaces } from './word-places.js';

function near(query: string, text: string, rarities: Readonly<Record<string, number>> = {}): number {
  const words = query.split(' ').map((word): AskedWord => {
    const facts = { text: word, start: 0, end: 0, weight: 1, isCommon: false };
    return { ...facts, ways: [{ how: 'form', terms: [word], weight: 1 }], rarity: rarities[word] ?? 1 };
  });
  const places = new Map<string, number[]>();
  for (const [at, term] of text.split(' ').entries()) places.set(term, [...(places.get(term) ?? []), at]);
  return nearness(words, wordPlaces(words, places));
}

it('is 1 for words side by side in their order, and less for others', () => {
  expect(near('restore drill', 'a restore drill')).toBe(1);
  expect(near('restore drill', 'a drill restore')).toBe(0.5);
  expect(near('restore drill', 'restore x x drill')).toBeCloseTo(1 / 3);
  expect(near('restore drill', 'restore 1 2 3 4 5 6 7 8 drill')).toBe(0);
  expect(near('restore drill', 'restore')).toBe(0);
  expect(near('restore', 'restore')).toBe(0);
});

it('takes the nearest of all places', () => {
  expect(near('restore drill', 'drill 1 2 restore 1 2 3 restore drill')).toBe(1);
});

it('counts neighbours by the more frequent of them', () => {
  expect(near('a b c', 'a b 1 2 3 4 5 6 7 8 9 c', { a: 3, b: 3, c: 1 })).toBe(0.75);
});
