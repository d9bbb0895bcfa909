import { expect, it } from 'vitest';
import { addressIn } from './find-by-word.js';

it.each([
  'jo@example.org',
  'email:jo@example.org',
  'mailto:jo@example.org',
  'MAILTO:jo@example.org?subject=Hello%20you',
  '<jo@example.org>',
  'Jo Doe <jo@example.org>,',
  '"Doe, Jo" <mailto:jo@example.org>;',
  'jo@example.org,',
  'jo@example.org>.',
])('finds the address in %s', (word) => {
  expect(addressIn(word)).toBe('jo@example.org');
});

it.each(['client:jo', 'Jo Doe', 'a@b@c', '@example.org', 'jo@example.org and eve@example.org'])(
  'finds no address in %s',
  (word) => {
    expect(addressIn(word)).toBeUndefined();
  },
);
