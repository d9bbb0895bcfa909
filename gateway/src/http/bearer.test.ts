import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { bearerToken } from './bearer.js';

function request(...values: string[]): IncomingMessage {
  const rawHeaders = values.flatMap((value) => ['Authorization', value]);
  return { headers: { authorization: values[0] }, rawHeaders } as unknown as IncomingMessage;
}

it('gives undefined without a header', () => expect(bearerToken(request())).toBeUndefined());

it.each(['Bearer abc', 'bearer abc', 'BEARER  abc '])('%j gives the token', (value) => {
  expect(bearerToken(request(value))).toBe('abc');
});

it.each(['Bearer a b', `Bearer ${'x'.repeat(600)}`, 'Bearer \u00e9'])('refuses %j as invalid_token', (value) => {
  expect(() => bearerToken(request(value))).toThrow(expect.objectContaining({ code: 'invalid_token' }));
});

it.each(['Basic abc', 'abc'])('refuses %j as missing_token', (value) => {
  expect(() => bearerToken(request(value))).toThrow(expect.objectContaining({ code: 'missing_token' }));
});

it.each(['', 'Bearer', 'bearer '])('takes %j for no token, unless the route needs one', (value) => {
  expect(bearerToken(request(value))).toBeUndefined();
  expect(() => bearerToken(request(value), true)).toThrow(expect.objectContaining({ code: 'missing_token' }));
});

it.each([
  ...[
    '<write_token>',
    '<write token>',
    '$' + '{TOKEN}',
    'cks_$' + '{TOKEN}',
    '{{ token }}',
    '%TOKEN%',
    '$KNOWLEDGE_TOKEN',
  ],
  ...['undefined', 'null', 'None', '[object Object]', 'your-token', 'YOUR_TOKEN_HERE'],
  ...['"cks_a"', "'cks_a'", '""', 'Bearer cks_a', 'bearer Bearer cks_a'],
])('says of %j that the configuration is at fault, and not the human', (value) => {
  expect(() => bearerToken(request(`Bearer ${value}`))).toThrow(
    expect.objectContaining({
      code: 'invalid_token',
      message: expect.stringMatching(/^The configuration .* at fault/),
    }),
  );
});

it.each(['cks_yourtoken', 'Nullable-1', 'undefined2', '100%'])('takes %j for a token', (value) => {
  expect(bearerToken(request(`Bearer ${value}`))).toBe(value);
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
