import { expect, it } from 'vitest';
import { idRange, readIdPrefix } from './page.js';

it('accepts the beginning of a UUID and nothing else', () => {
  expect(readIdPrefix('1af2513e-a')).toBe('1af2513e-a');
  expect([readIdPrefix(''), readIdPrefix(undefined)]).toEqual([undefined, undefined]);
  for (const wrong of ['1af', '.*.*', '1AF2', '1af2g', '0'.repeat(37)]) {
    expect(() => readIdPrefix(wrong)).toThrow(expect.objectContaining({ code: 'validation_error' }));
  }
});

it('makes a range of exactly the ids with this prefix', () => {
  const { $gte, $lt } = idRange('1af2');
  const inside = (id: string): boolean => id >= $gte && id < $lt;
  expect(['1af2', '1af20000', '1af2-', '1af2ffff-ffff'].every(inside)).toBe(true);
  expect(['1af1ffff', '1af3', '1af', '2'].some(inside)).toBe(false);
});
