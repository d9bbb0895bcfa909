import { describe, expect, it } from 'vitest';
import type { TextKey } from '../../search/index/search-text.js';
import { createMeanings } from './meanings.js';
import type { TextVectors } from './text-vectors.js';
import { createVectorIndex } from './vector-index.js';

const signal = new AbortController().signal;
const text = (name: string, ...values: number[]): TextVectors => {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  const head = Float32Array.from({ length: 64 }, (_, at) => (values[at] ?? 0) / length);
  return { key: `object/${name}` as TextKey, heads: [head], passages: [], position: 1 };
};
const texts = [text('a', 1, 1), text('b', 1, 2), text('c', 0, 1), text('d', 0, 0, 1)];
const query = text('query', 1).heads[0] as Float32Array;

function open(maxBytes: number, vector: Float32Array | undefined = query) {
  const index = createVectorIndex(maxBytes);
  for (const each of texts) index.put(each);
  const asked: TextKey[] = [];
  const read = async (keys: readonly TextKey[]) => {
    asked.push(...keys);
    return [text('e', 1), text('odd', 1)].filter(({ key }) => keys.includes(key));
  };
  const meanings = createMeanings({ index, queries: { of: async () => vector }, read, isWaiting: () => false });
  return { index, asked, meanings };
}

describe('meanings', () => {
  it('are compared with all texts in memory, and the best by words are read only if there was no room', async () => {
    const { asked, meanings } = open(1e6);
    const closeness = await meanings.compare('q', () => ['object/e'], signal);
    expect([...(closeness ?? [])].map(([key]) => key)).toEqual(['object/a', 'object/b']);
    expect(asked).toEqual([]);
  });

  it('are compared with vectors of the database for the best texts by words that memory has no room for', async () => {
    const { index, asked, meanings } = open(1200);
    expect([index.size, index.isFull]).toEqual([3, true]);
    const closeness = await meanings.compare('q', async () => ['object/a', 'object/e'], signal);
    expect(asked).toEqual(['object/e']);
    expect([...(closeness ?? [])].sort(([, one], [, other]) => other - one)[0]?.[0]).toBe('object/e');
  });

  it('are unknown without a vector, with one of another length, and if the database fails', async () => {
    const best = () => ['object/e' as TextKey];
    const none = createMeanings({ ...parts(1e6), queries: { of: async () => undefined } });
    expect(await none.compare('q', best, signal)).toBeUndefined();
    const other = createMeanings({ ...parts(1e6), queries: { of: async () => Float32Array.of(1) } });
    expect(await other.compare('q', best, signal)).toBeUndefined();
    const failing = createMeanings({ ...parts(1200), read: async () => Promise.reject(new Error('down')) });
    expect(await failing.compare('q', best, signal)).toBeUndefined();
  });

  it('ask nothing while no text has vectors', async () => {
    let asked = 0;
    const queries = { of: async () => (asked++, query) };
    const meanings = createMeanings({ ...parts(1e6), index: createVectorIndex(1e6), queries });
    expect(await meanings.compare('q', () => [], signal)).toBeUndefined();
    expect(asked).toBe(0);
  });
});

function parts(maxBytes: number) {
  const { index } = open(maxBytes);
  return { index, queries: { of: async () => query }, read: async () => [], isWaiting: () => false };
}
