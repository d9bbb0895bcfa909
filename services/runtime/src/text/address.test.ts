import { expect, it } from 'vitest';
import { isSingleAddress, parseSender } from './address.js';

it.each([
  'jane@example.org',
  'jane.doe+agents@mail.example.org',
  "o'hara@example.co.uk",
  'a@b.c',
  `${'a'.repeat(64)}@example.org`,
  '!#$&*/=?^{}~@example.org',
])('accepts %s', (address) => {
  expect(isSingleAddress(address)).toBe(true);
});

it.each([
  '',
  '@',
  'jane',
  'jane@',
  '@example.org',
  'jane@example',
  'jane@example.org,joe@example.org',
  'jane@example.org;joe@example.org',
  'jane@evil.test@example.org',
  'Jane <jane@example.org>',
  '<jane@example.org>',
  '"jane doe"@example.org',
  'jane(comment)@example.org',
  'jane@example.org(comment)',
  'jane%evil.test@example.org',
  'jane@[127.0.0.1]',
  'jane@127.0.0.1',
  'jane@example.org\r\nBcc: joe@example.org',
  'jane@example.org\0',
  ' jane@example.org',
  'jane @example.org',
  'jane@exam ple.org',
  '-jane@example.org',
  '.jane@example.org',
  'jane.@example.org',
  'ja..ne@example.org',
  'jane@-example.org',
  'jane@example-.org',
  'jane@example..org',
  'jane@example.org.',
  'jané@example.org',
  'jane@exämple.org',
  'jane@ex\u202eample.org',
  'jane@xn--.example_1.org',
  `${'a'.repeat(65)}@example.org`,
  `jane@${'a'.repeat(64)}.org`,
  `jane@${'a.'.repeat(130)}org`,
])('refuses %j', (address) => {
  expect(isSingleAddress(address)).toBe(false);
});

it('checks a hostile address in linear time', () => {
  const began = performance.now();
  for (const each of ['a'.repeat(1e6), `${'a.'.repeat(5e5)}@b.c`, `a@${'a-'.repeat(120)}`]) isSingleAddress(each);
  expect(performance.now() - began).toBeLessThan(50);
});

it('reads a sender with and without a name', () => {
  expect(parseSender('Community Knowledge <no-reply@example.org>')).toEqual({
    name: 'Community Knowledge',
    address: 'no-reply@example.org',
  });
  expect(parseSender('"Knowledge" <a@localhost>')).toEqual({ name: 'Knowledge', address: 'a@localhost' });
  expect(parseSender('a@example.org')).toEqual({ name: '', address: 'a@example.org' });
  for (const wrong of ['', 'x', 'A <b>', 'A <a@b.c>, B <b@b.c>', 'A\n<a@b.c>', 'a@b.c <a@b.c']) {
    expect(parseSender(wrong), wrong).toBeUndefined();
  }
});
