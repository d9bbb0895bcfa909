import { expect, it } from 'vitest';
import { FrequentCache } from './frequent-cache.js';

const filled = (keys: string[], asked = 1) => {
  const cache = new FrequentCache<string, string>(20, (value) => value.length);
  for (const key of keys) {
    for (let time = 0; time < asked; time++) cache.get(key);
    cache.set(key, 'xxxxx');
  }
  return cache;
};

it('keeps a part of what is asked for in turn, within its bytes', () => {
  const cache = filled(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(cache.bytes).toBe(20);
  expect(['a', 'b', 'c', 'd', 'e', 'f'].filter((key) => cache.has(key))).toEqual(['a', 'b', 'c', 'd']);
});

it('takes what is asked for more often, in place of what was not asked for the longest time', () => {
  const cache = filled(['a', 'b', 'c', 'd']);
  for (let time = 0; time < 2; time++) expect(cache.get('e')).toBeUndefined();
  expect([cache.timesAsked('e'), cache.takes('e', 10), cache.takes('e', 21)]).toEqual([2, true, false]);
  cache.set('e', 'yyyyyyyyyy');
  expect(['a', 'b', 'c', 'd', 'e'].filter((key) => cache.has(key))).toEqual(['c', 'd', 'e']);
  expect(cache.bytes).toBe(20);
});

it('puts another value in the place of its own', () => {
  const cache = filled(['a', 'b', 'c', 'd']);
  cache.set('b', 'zz');
  expect([cache.get('b'), cache.bytes]).toEqual(['zz', 17]);
  cache.delete('b');
  expect([cache.get('b'), cache.bytes]).toEqual([undefined, 15]);
  cache.clear();
  expect([cache.has('a'), cache.bytes]).toEqual([false, 0]);
});

it('forgets in time what was frequent long ago', () => {
  const cache = filled(['a', 'b', 'c', 'd'], 1000);
  for (let time = 0; time < 300_000; time++) cache.get('other');
  expect(cache.timesAsked('a')).toBeLessThan(200);
  for (let time = 0; time < 200; time++) cache.get('e');
  cache.set('e', 'xxxxx');
  expect(cache.has('e')).toBe(true);
});
