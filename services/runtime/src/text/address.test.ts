import { expect, it } from 'vitest';
import { addressFault, asciiAddress, emailBound, isSingleAddress, parseSender } from './address.js';

it.each([
  ...['jane@example.org', 'jane.doe+agents@mail.example.org', "o'hara@example.co.uk", 'a@b.c'],
  ...[`${'a'.repeat(64)}@example.org`, '!#$%&*/=?^`{|}~@example.org', 'jane%evil.test@example.org'],
])('accepts %s', (address) => {
  expect(isSingleAddress(address)).toBe(true);
});

it.each([
  ...['', '@', 'jane', 'jane@', '@example.org', 'jane@example', 'jane@example.org,joe@example.org'],
  ...['jane@example.org;joe@example.org', 'jane@evil.test@example.org', 'Jane <jane@example.org>'],
  ...['<jane@example.org>', '"jane doe"@example.org', 'jane(comment)@example.org', 'mailto:jane@example.org'],
  ...['jane@example.org(comment)', 'jane@[127.0.0.1]', 'jane@127.0.0.1', 'jane@example.org\r\nBcc: joe@example.org'],
  ...['jane@example.org\0', ' jane@example.org', 'jane @example.org', 'jane@exam ple.org', '-jane@example.org'],
  ...['.jane@example.org', 'jane.@example.org', 'ja..ne@example.org', 'jane@-example.org', 'jane@example-.org'],
  ...['jane@example..org', 'jane@example.org.', 'jané@example.org', 'jane@exämple.org', 'jane@ex\u202eample.org'],
  ...['jane@xn--.example_1.org', `${'a'.repeat(65)}@example.org`, `jane@${'a'.repeat(64)}.org`],
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
  ['x@ex\u202eample.org', 'x@ex\u202eample.org'],
  ['x@exam\u00adple.jp', 'x@exam\u00adple.jp'],
  // In Persian this joiner stands between two words, and IDNA keeps it.
  ['x@نامه\u200cای.com', 'x@xn--mgba3gch31f060k.com'],
  ['x@b\u2100.example', 'x@'],
])('reads %j as %s', (typed, address) => {
  expect(asciiAddress(typed)).toBe(address);
});

const sign = (of: string) =>
  `must have no “${of}” before the @: only a to z, digits and signs can stand there; use another address`;

it.each([
  ['jane@example.org', undefined],
  [' x@bücher.example', undefined],
  ['jane', emailBound],
  ['jane@example', emailBound],
  ['Ünal <a@example.org>, b@example.org', sign('Ü')],
  ['müller@example.org', sign('ü')],
  ['mu\u0308ller@bücher.example', sign('ü')],
  ['jane@exam\u00adple.jp', 'must not contain U+00AD (soft hyphen), which nobody sees'],
  ['ja\u200bne@example.jp', 'must not contain U+200B (zero-width space), which nobody sees'],
  ['\u202ajane@example.jp\u202c', 'must not contain U+202A (left-to-right embedding), which nobody sees'],
])('says what is wrong with %j: %s', (typed, fault) => {
  expect(addressFault(typed)).toBe(fault);
});

it('refuses every character in a domain that IDNA leaves out', () => {
  for (let point = 0x80; point <= 0xe0fff; point++) {
    if (point === 0x20000) point = 0xe0000;
    const typed = `x@exam${String.fromCodePoint(point)}ple.jp`;
    if (asciiAddress(typed) === 'x@example.jp') expect.fail(JSON.stringify(typed));
  }
});

it('checks a hostile address in linear time', () => {
  const began = performance.now();
  for (const each of ['a'.repeat(1e6), `${'a.'.repeat(5e5)}@b.c`, `a@${'a-'.repeat(120)}`, 'é'.repeat(1e6)])
    addressFault(each);
  expect(performance.now() - began).toBeLessThan(2000);
});

it('reads a sender with and without a name', () => {
  const named = { name: 'Community Knowledge', address: 'no-reply@example.org' };
  expect(parseSender('Community Knowledge <no-reply@example.org>')).toEqual(named);
  expect(parseSender('"Knowledge" <a@localhost>')).toEqual({ name: 'Knowledge', address: 'a@localhost' });
  expect(parseSender('a@example.org')).toEqual({ name: '', address: 'a@example.org' });
  for (const wrong of ['', 'x', 'A <b>', 'A <a@b.c>, B <b@b.c>', 'A\n<a@b.c>', 'a@b.c <a@b.c']) {
    expect(parseSender(wrong), wrong).toBeUndefined();
  }
});
