import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodePageToken, pageToken, readPageQuery, readPageSize, toListPage } from './page.js';

const refused = expect.objectContaining({ code: 'validation_error' });

it('reads the tokens that it gave, of one list only if that has a scope', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
      fc.uuid(),
      fc.constantFrom([], ['objects', 'org']),
      (at, id, scope) => {
        const token = pageToken({ at, id }, scope);
        expect(readPageQuery({ pageSize: 1, pageToken: token }, scope).after).toEqual({ at, id });
        expect(() => readPageQuery({ pageSize: 1, pageToken: token }, ['another'])).toThrow(refused);
      },
    ),
  );
  expect(pageToken(undefined)).toBe('');
});

it('refuses every other token or size', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (token) => {
      expect(() => readPageQuery({ pageSize: 1, pageToken: token })).toThrow(refused);
    }),
  );
  const timeless = encodePageToken([], [1e300, 'x']);
  expect(() => readPageQuery({ pageSize: 1, pageToken: timeless })).toThrow(
    'page_token has no valid time; begin again without one.',
  );
});

it('takes pages of 1 to 200, and 50 where none is given', () => {
  expect([0, 1, 200].map((size) => readPageSize(size))).toEqual([50, 1, 200]);
  for (const size of [-1, 201, 1.5]) expect(() => readPageSize(size)).toThrow('page_size must be 1 to 200.');
  expect(readPageQuery({ pageSize: 0, pageToken: '' })).toEqual({ size: 50, after: undefined });
  const small = { usual: 20, most: 50 };
  expect([0, 50].map((size) => readPageSize(size, small))).toEqual([20, 50]);
  expect(() => readPageSize(51, small)).toThrow('page_size must be 1 to 50.');
});

it('knows by one more item that another page follows', () => {
  expect(toListPage(['a', 'b', 'c'], 2, (item) => item)).toEqual({ items: ['a', 'b'], next: 'b' });
  expect(toListPage(['a', 'b'], 2, (item) => item)).toEqual({ items: ['a', 'b'], next: undefined });
});

it('ends a page early where its items are long, and always has one', () => {
  const long = 'ä'.repeat(600_000);
  const at = (_: unknown, count: number) => count;
  expect(toListPage([long, long, long], 3, at)).toEqual({ items: [long, long], next: 2 });
  expect(toListPage([long, long], 3, at)).toEqual({ items: [long, long], next: undefined });
  expect(toListPage([long.repeat(4), 'b'], 3, at)).toEqual({ items: [long.repeat(4)], next: 1 });
});
