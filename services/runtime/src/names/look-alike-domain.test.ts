import { expect, it } from 'vitest';
import { looksLikeAnother } from './reserved-name.js';

it('knows a host that looks like another one', () => {
  expect(['раураl.com', 'xn--a.org', 'g\u043e\u043egle.com'].every(looksLikeAnother)).toBe(true);
  expect(['paypal.com', 'münchen.de', 'пример.рф', '例え.jp'].some(looksLikeAnother)).toBe(false);
});
