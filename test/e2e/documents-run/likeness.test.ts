import { expect, test } from 'vitest';
import { differences } from './likeness.js';

test.each([
  ['a field that no answer has', { a: 1, b: 2 }, { a: 1 }],
  ['a field that the example has not', { a: 1 }, { a: 1, b: 2 }],
  ['null for a text', { a: null }, { a: 'x' }],
  ['another text', { a: 'x' }, { a: 'y' }],
  ['a cut text that begins otherwise', { a: 'It was …' }, { a: 'It is so.' }],
  ['a time for an id', { a: '2026-06-01T09:00:00Z' }, { a: '28f35209-4064-49ab-8c97-7f49b4919cd9' }],
  ['a list of another length', { a: [1] }, { a: [1, 2] }],
  ['another number deep inside', { a: [{ b: [1] }] }, { a: [{ b: [2] }] }],
])('an example differs from a response with %s', (_name, example, real) => {
  expect(differences(example, real)).toHaveLength(1);
});

test('ignores different ids, times, codes and shortened ends', () => {
  const example = { id: '28f35209-4064-49ab-8c97-7f49b4919cd9', at: '2026-06-01T09:00:00Z', text: 'It was …' };
  const real = { id: 'd8570f03-f65e-45c1-a3dd-68ab66e7b925', at: '2026-11-21T09:50:09.905Z', text: 'It was so.' };
  expect(differences(example, real)).toEqual([]);
  expect(differences({ user_code: 'WDJB-MJHT' }, { user_code: 'HFWH-QWNL' })).toEqual([]);
  expect(differences([1], [1, 2], true)).toEqual([]);
});
