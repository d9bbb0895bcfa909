import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeSecret, optionalSecret, sameHash } from './secret.js';

it('reads what it made', () => {
  const id = randomUUID();
  const { code, hash } = makeSecret(id);
  expect(optionalSecret(code)).toEqual({ id, secret: code.slice(37), hash });
  expect(makeSecret(id).code).not.toBe(code);
});

it('refuses what cannot be a code', () => {
  const { code } = makeSecret(randomUUID());
  for (const wrong of [
    '',
    code.slice(1),
    `${code}A`,
    code.replace('.', '_'),
    code.toUpperCase(),
    `${code.slice(0, 79)}=`,
  ]) {
    expect(optionalSecret(wrong), wrong).toBeUndefined();
  }
});

it('compares hashes', () => {
  const { hash } = makeSecret(randomUUID());
  expect(sameHash(hash, hash)).toBe(true);
  expect(sameHash(hash, makeSecret(randomUUID()).hash)).toBe(false);
  expect(sameHash(hash, '')).toBe(false);
});
