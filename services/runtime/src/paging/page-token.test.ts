import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePageToken, encodePageToken } from './page.js';

const scope = ['articles', 'org', '', '', null];

describe('page tokens', () => {
  it('return the key unchanged, whatever it contains', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string(), (score, name) => {
        const token = encodePageToken(scope, [score, name]);
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodePageToken(token, scope, ['number', 'string'])).toEqual([score === 0 ? 0 : score, name]);
      }),
    );
  });

  it('are empty for the first page', () => {
    expect(decodePageToken('', scope, ['number', 'string'])).toBeUndefined();
  });

  it('are valid for one listing only', () => {
    const token = encodePageToken(scope, [1, 'a']);
    for (const other of [
      ['articles', 'io', '', '', null],
      [...scope, 1],
      ['objects', 'org'],
    ]) {
      expect(() => decodePageToken(token, other, ['number', 'string'])).toThrow(/other filters/);
    }
  });

  it('are refused when malformed', () => {
    const forged = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [version, digest] = JSON.parse(Buffer.from(encodePageToken(scope, []), 'base64url').toString()) as unknown[];
    const tokens = [
      'x',
      '$$$',
      'a b',
      'a'.repeat(2000),
      forged({}),
      forged(null),
      forged([]),
      forged([2, digest, 1, 'a']),
      forged([version, digest, 1]),
      forged([version, digest, 'a', 1]),
      forged([version, digest, { $gt: '' }, 'a']),
      forged([version, digest, 1, 'a', 1]),
    ];
    for (const token of tokens) {
      expect(() => decodePageToken(token, scope, ['number', 'string'])).toThrow(
        expect.objectContaining({ code: 'validation_error' }),
      );
    }
  });
});

it('explains why a token is refused', () => {
  const token = encodePageToken(scope, [1, 'a']);
  const read = (given: string, of: typeof scope) => () => decodePageToken(given, of, ['number', 'string']);
  expect(read('x', scope)).toThrow('page_token is not a page token of this service; begin again without one.');
  expect(read(token, ['objects'])).toThrow(
    'page_token belongs to a listing with other filters; begin again without one.',
  );
  const long = encodePageToken(scope, [1, 'a'.repeat(1024)]);
  expect(read(long, scope)).toThrow('page_token is not a page token of this service');
  for (const wrong of [`${token}.`, ` ${token}`]) expect(read(wrong, scope)).toThrow('page_token is not');
});
