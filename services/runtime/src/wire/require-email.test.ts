import { expect, it } from 'vitest';
import { requireEmail } from './index.js';

it('converts an e-mail to ASCII and lower case, and refuses what is none with the reason', () => {
  expect(requireEmail('Jane.Doe+Tag@Bücher.ORG')).toBe('jane.doe+tag@xn--bcher-kva.org');
  expect(() => requireEmail('a@b.c,d@e.f')).toThrow(/^email must be exactly one plain address/);
  expect(() => requireEmail('jane@exam\u00adple.jp')).toThrow('email must not contain U+00AD (soft hyphen)');
});
