import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { bearerToken } from './bearer.js';

function request(...values: string[]): IncomingMessage {
  const rawHeaders = values.flatMap((value) => ['Authorization', value]);
  return { headers: { authorization: values[0] }, rawHeaders } as unknown as IncomingMessage;
}

describe('bearerToken', () => {
  it('gives undefined without a header', () => {
    expect(bearerToken(request())).toBeUndefined();
  });

  it.each(['Bearer abc', 'bearer abc', 'BEARER  abc '])('%j gives the token', (value) => {
    expect(bearerToken(request(value))).toBe('abc');
  });

  it.each(['Bearer a b', `Bearer ${'x'.repeat(600)}`, 'Bearer \u00e9'])('refuses %j as invalid_token', (value) => {
    expect(() => bearerToken(request(value))).toThrow(expect.objectContaining({ code: 'invalid_token' }));
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic abc', 'abc'])('refuses %j as missing_token', (value) => {
    expect(() => bearerToken(request(value))).toThrow(expect.objectContaining({ code: 'missing_token' }));
  });

  it('suggests anonymous reading only if the route allows it', () => {
    expect(() => bearerToken(request('Basic abc'))).toThrow(/or leave the header out to read anonymously\.$/);
    expect(() => bearerToken(request('Basic abc'), true)).toThrow(/<token>"; this call needs one\.$/);
  });

  it('refuses two headers as invalid_token', () => {
    expect(() => bearerToken(request('Bearer a', 'Bearer a'))).toThrow(
      expect.objectContaining({ code: 'invalid_token' }),
    );
  });
});
