import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageToken, readPageQuery } from './page.js';

it('reads the tokens that it made', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
      fc.uuid(),
      (at, id) => {
        expect(readPageQuery({ pageSize: 1, pageToken: pageToken({ at, id }) }).after).toEqual({ at, id });
      },
    ),
  );
  expect(pageToken(undefined)).toBe('');
});

it('refuses every other token or size', () => {
  const refused = expect.objectContaining({ code: 'validation_error' });
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (token) => {
      expect(() => readPageQuery({ pageSize: 1, pageToken: token })).toThrow(refused);
    }),
  );
  for (const pageSize of [-1, 201]) expect(() => readPageQuery({ pageSize, pageToken: '' })).toThrow(refused);
  expect(readPageQuery({ pageSize: 0, pageToken: '' })).toEqual({ size: 50, after: undefined });
});
