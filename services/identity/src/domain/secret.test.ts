import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { newSecretCode, optionalSecretCode, sameHash } from './secret.js';

it('reads the codes that it makes', () => {
  const id = randomUUID();
  const { code, hash } = newSecretCode(id);
  expect(optionalSecretCode(code)).toEqual({ id, secret: code.slice(37), hash });
  expect(newSecretCode(id).code).not.toBe(code);
});

it('refuses malformed codes', () => {
  const { code } = newSecretCode(randomUUID());
  const cut = code.slice(0, 79);
  for (const wrong of ['', code.slice(1), `${code}A`, code.replace('.', '_'), code.toUpperCase(), `${cut}=`, `${cut}.`])
    expect(optionalSecretCode(wrong), wrong).toBeUndefined();
});

it.each(['.', ')', '”', '"', '>', ' ', '\n', '\u200b', '. See you', '='])('cuts %j off the end of a code', (rest) => {
  const id = randomUUID();
  const { code, hash } = newSecretCode(id);
  expect(optionalSecretCode(code + rest)).toEqual({ id, secret: code.slice(37), hash });
});

it.each(['3D', '3d', '<', ' ', 'code='])('cuts %j off the beginning of a code', (before) => {
  const { code, hash } = newSecretCode(randomUUID());
  expect(optionalSecretCode(before + code)?.hash).toBe(hash);
});

it('compares hashes', () => {
  const { hash } = newSecretCode(randomUUID());
  expect(sameHash(hash, hash)).toBe(true);
  expect(sameHash(hash, newSecretCode(randomUUID()).hash)).toBe(false);
  expect(sameHash(hash, '')).toBe(false);
});
