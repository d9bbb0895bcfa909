import { randomBytes } from 'node:crypto';
import { isTokenSecret } from '@knowledge/runtime';
import { expect, it } from 'vitest';
import { deriveTokenSecret, randomTokenSecret } from './secret.js';

it('makes tokens in the documented form', () => {
  for (let at = 0; at < 200; at++) {
    const token = randomTokenSecret();
    expect(token).toMatch(/^cks_[0-9A-Za-z]{49}$/);
    expect(isTokenSecret(token)).toBe(true);
  }
});

it('detects a typo by the checksum', () => {
  const token = randomTokenSecret();
  for (let at = 4; at < token.length; at++) {
    const typo = token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
    expect(isTokenSecret(typo), typo).toBe(false);
  }
});

it.each([
  ...['', 'cks_', `cks_${'0'.repeat(49)}x`, `cks_${'0'.repeat(48)}`, `xks_${'0'.repeat(49)}`, `cks_${'é'.repeat(49)}`],
])('refuses %j', (value) => {
  expect(isTokenSecret(value)).toBe(false);
});

it('derives the same token from the same device code and salt, and another token otherwise', () => {
  const device = randomBytes(32).toString('base64url');
  const token = deriveTokenSecret(device, 'salt');
  expect(isTokenSecret(token)).toBe(true);
  expect(deriveTokenSecret(device, 'salt')).toBe(token);
  expect(deriveTokenSecret(device, 'salty')).not.toBe(token);
  expect(deriveTokenSecret(`${device}x`, 'salt')).not.toBe(token);
});
