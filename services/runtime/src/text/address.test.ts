import { expect, it } from 'vitest';
import { asciiAddress, isSingleAddress, parseSender } from './address.js';

it.each([
  'jane@example.org',
  'jane.doe+agents@mail.example.org',
  "o'hara@example.co.uk",
  'a@b.c',
  `${'a'.repeat(64)}@example.org`,
  '!#$%&*/=?^`{|}~@example.org',
  'jane%evil.test@example.org',
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
  'mailto:jane@example.org',
  'jane@example.org(comment)',
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

it.each([
  [' jane@example.org\r\n', 'jane@example.org'],
  ['x@bücher.example', 'x@xn--bcher-kva.example'],
  ['x@Bücher.Example', 'x@xn--bcher-kva.example'],
  ['x@例え.テスト', 'x@xn--r8jz45g.xn--zckzah'],
  ['Jane@Example.org', 'Jane@Example.org'],
  // What is no address stays none.
  ['jane@example.org, x@bücher.example', 'jane@example.org, x@xn--bcher-kva.example'],
  ['x@127.0.0.①', 'x@127.0.0.1'],
  ['x@ex\u202eample.org', 'x@'],
  ['x@b\u2100.example', 'x@'],
])('reads %j as %s', (typed, address) => {
  expect(asciiAddress(typed)).toBe(address);
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
