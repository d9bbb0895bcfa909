import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { isTokenSecret, ownSecretFault, ownTokenIn, tokenSecretOf } from './own-secrets.js';

const token = tokenSecretOf(randomBytes(32));
const key = `${randomUUID()}.${randomBytes(32).toString('base64url')}`;

it.each([
  ['a token', `One line.\nMine is ${token}.`],
  ['a token in code', `\n\`${token}\``],
  ['an entity', `a\nb ${token.replace('_', '&#95;')}`],
  ['a percent sign', `a\nb ${token.replace('_', '%5F')}`],
  ['a backslash', `a\nb ${token.replace('_', '\\_')}`],
  ['a hidden character', `a\nb ${token.slice(0, 9)}\u200b${token.slice(9)}`],
  [
    'a soft hyphen and a blank of Braille',
    `a\nb ${token.slice(0, 9)}\u00ad\u2800${token.slice(9, 30)}&shy;${token.slice(30)}`,
  ],
  ['full width', `a\nb ${token.replace('cks', 'ｃｋｓ')}`],
  ['a key', `a\nhttps://k.example/access?key=${key}`],
  ['blanks', `a\nb ${token.replace(/.{9}/g, '$& ')} and more`],
  ['line breaks', `a\nb ${token.slice(0, 30)}\n${token.slice(30)} and more`],
  ['a break in a key', `a\nb ${key.slice(0, 50)}\n${key.slice(50)} and more`],
  ['Base64', `a\nb ${Buffer.from(token).toString('base64')}`],
  ['Base64 of words', `a\nb x/${Buffer.from(`My link is https://k.example/access?key=${key}`).toString('base64')}`],
  ['Base64 on lines', `a\nb ${Buffer.from(`key=${key}, mine`).toString('base64').replace(/.{76}/g, '$&\n')}`],
  ['Base64 for URLs', `a\nb ${Buffer.from(`>>>???${token}`).toString('base64url')}`],
  ['a key that mail programs changed', `a\ncode=3D${key}"`],
])('finds a secret of ours with %s, and says where', (_, text) => {
  expect(ownSecretFault(text)).toMatch(/ \(line 2\): leave it out/);
});

it('finds a secret that only readers get, with the line of its block', () => {
  expect(ownSecretFault('cks\\_…', [{ text: `a\n${token}`, line: 4 }])).toMatch(/ \(line 6\): /);
});

it.each([
  ['an example', `cks_${'0'.repeat(49)}`],
  ['a token with a typo', `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`],
  ['a beginning', token.slice(0, 40)],
  ['an id with a file name', `${randomUUID()}.json`],
  ['an id before a sentence', `${randomUUID()}. ${'The agent wrote this and other things too. '.repeat(9)}`],
  ['Base64 of other words', Buffer.from('The agent wrote this and other things too. '.repeat(9)).toString('base64')],
  ['an id with a longer hash', `${key}${key.slice(-9)}`],
])('leaves %s', (_, text) => {
  expect(ownSecretFault(text)).toBeUndefined();
  expect(ownTokenIn(text)).toBeUndefined();
});

it('finds a token in a text', () => {
  expect(ownTokenIn(`cks_${'0'.repeat(49)} token=${token}&a`)).toBe(token);
  expect(isTokenSecret(token)).toBe(true);
});
