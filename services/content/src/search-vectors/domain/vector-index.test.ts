import { describe, expect, it } from 'vitest';
import type { TextKey } from '../../search/index/search-text.js';
import { closenessOf } from './closeness.js';
import { compareWith, createVectorIndex } from './vector-index.js';

const dimensions = 64;
/** A vector of length 1 in a direction that depends on the number. */
function vector(seed: number, length = dimensions): Float32Array {
  const values = Float32Array.from({ length }, (_, at) => Math.sin(seed * 7.3 + at * (seed + 1)));
  const size = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return values.map((value) => value / size);
}
const text = (name: string, heads: number[], passages: number[] = []) => ({
  key: `object/${name}` as TextKey,
  heads: heads.map((seed) => vector(seed)),
  passages: passages.map((seed) => vector(seed)),
  position: 1,
});

describe('the vectors in memory', () => {
  it('give the similarity of the closest head and the closest passage, nearly as exactly as numbers of 32 bits', async () => {
    const index = createVectorIndex(1e6);
    const texts = [text('a', [1, 2], [3, 4]), text('b', [5]), text('c', [2], [1])];
    for (const each of texts) index.put(each);
    const query = vector(2);
    const similarities = await index.compare(query);
    for (const each of texts) {
      const exact = compareWith(query, each);
      expect(similarities?.get(each.key)).toBeCloseTo(exact ?? Number.NaN, 2);
    }
    expect(compareWith(query, text('b', [2]))).toBeCloseTo(1, 5);
    expect(similarities?.get('object/b')).toBeLessThan(0.9);
  });

  it('leave out texts for which there is no room, and take no vectors of another length', async () => {
    const index = createVectorIndex(1000);
    index.put(text('a', [1], [2]));
    expect(index.isFull).toBe(false);
    index.put({ ...text('odd', []), heads: [vector(1, 32)] });
    index.put({ ...text('none', []), heads: [] });
    expect(index.size).toBe(1);
    for (let at = 0; at < 9; at++) index.put(text(`more-${at}`, [at]));
    expect(index.isFull).toBe(true);
    expect(index.bytes).toBeLessThanOrEqual(1000);
    expect(await index.compare(vector(1, 32))).toBeUndefined();
    expect(compareWith(vector(1, 32), text('a', [1]))).toBeUndefined();
    index.remove('object/a');
    index.put(text('b', [1]));
    expect(index.has('object/b')).toBe(true);
    index.clear();
    expect([index.size, index.bytes, index.isFull]).toEqual([0, 0, false]);
  });

  it('lose a text that is removed, and replace one that is put again', async () => {
    const index = createVectorIndex(1e6);
    index.put(text('a', [1]));
    index.put(text('a', [2]));
    expect([...((await index.compare(vector(2))) ?? [])].map(([, value]) => Math.round(value))).toEqual([1]);
    index.remove('object/a');
    expect(index.bytes).toBe(0);
  });
});

describe('closeness', () => {
  const similarities = (...values: number[]) =>
    new Map(values.map((value, at) => [`object/${at}` as TextKey, value] as const));

  it('is the distance from the mean of all texts in standard deviations, and the same for any scale of a model', () => {
    const closeness = closenessOf(similarities(0.2, 0.2, 0.2, 0.6), new Map([['object/far', 0.6]]));
    expect([...closeness.keys()]).toEqual(['object/3', 'object/far']);
    expect(closeness.get('object/3')).toBeCloseTo(Math.sqrt(3), 6);
    const scaled = closenessOf(similarities(0.82, 0.82, 0.82, 0.86), new Map());
    expect(scaled.get('object/3')).toBeCloseTo(Math.sqrt(3), 4);
  });

  it('is unknown for texts that are all alike, or too few', () => {
    expect(closenessOf(similarities(0.5, 0.5, 0.5, 0.5), new Map()).size).toBe(0);
    expect(closenessOf(similarities(0.1, 0.9), new Map()).size).toBe(0);
    expect(closenessOf(new Map(), similarities(0.5)).size).toBe(0);
  });
});
