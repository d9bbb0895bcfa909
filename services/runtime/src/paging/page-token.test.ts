import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePageToken, encodePageToken } from './page.js';

const scope = ['articles', 'org', '', '', null];
const read = (token: string, of: readonly unknown[] = scope) =>
  decodePageToken(token, of as typeof scope, ['number', 'string']);

describe('page tokens', () => {
  it('return the key unchanged, whatever it contains', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string(), (score, name) => {
        const token = encodePageToken(scope, [score, name]);
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(read(token)).toEqual([score === 0 ? 0 : score, name]);
      }),
    );
  });

  it('are empty for the first page', () => expect(read('')).toBeUndefined());

  it('are valid for one listing only', () => {
    const token = encodePageToken(scope, [1, 'a']);
    const others = [
      ['articles', 'io', '', '', null],
      [...scope, 1],
      ['objects', 'org'],
    ];
    for (const other of others) expect(() => read(token, other)).toThrow(/other filters/);
  });

  it('are refused when malformed', () => {
    const forged = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [version, digest] = JSON.parse(Buffer.from(encodePageToken(scope, []), 'base64url').toString()) as unknown[];
    const tokens = [
      ...['x', '$$$', 'a b', 'a'.repeat(2000), forged({}), forged(null), forged([]), forged([2, digest, 1, 'a'])],
      ...[forged([version, digest, 1]), forged([version, digest, 'a', 1]), forged([version, digest, { $gt: '' }, 'a'])],
      forged([version, digest, 1, 'a', 1]),
    ];
    const refused = expect.objectContaining({ code: 'validation_error' });
    for (const token of tokens) expect(() => read(token)).toThrow(refused);
  });
});

it('explains why a token is refused', () => {
  const token = encodePageToken(scope, [1, 'a']);
  const none = 'page_token is not a page token of this service; begin again without one.';
  const other = 'page_token belongs to a listing with other filters; begin again without one.';
  expect(() => read(token, ['objects'])).toThrow(other);
  const long = encodePageToken(scope, [1, 'a'.repeat(1024)]);
  for (const wrong of ['x', long, `${token}.`, ` ${token}`]) expect(() => read(wrong)).toThrow(none);
});
