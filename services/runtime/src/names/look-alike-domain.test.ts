import { expect, it } from 'vitest';
import { hostsIn, looksLikeAnother } from './look-alike-domain.js';

it('knows a host that looks like another one', () => {
  expect(['раураl.com', 'xn--a.org', 'g\u043e\u043egle.com'].every(looksLikeAnother)).toBe(true);
  expect(['paypal.com', 'münchen.de', 'пример.рф', '例え.jp'].some(looksLikeAnother)).toBe(false);
});

it('finds the hosts of links with their places, at most 50', () => {
  expect(hostsIn('See https://www.Example.org/a, www.b.de. Or config.yaml')).toEqual([
    { host: 'Example.org', at: 16 },
    { host: 'b.de', at: 35 },
  ]);
  expect(hostsIn('https://good.example@b@evil.example/x http://a:b@www.c.d').map(({ host }) => host)).toEqual([
    'evil.example',
    'c.d',
  ]);
  expect(hostsIn('http://a.b '.repeat(500))).toHaveLength(50);
  expect(hostsIn(`http://${'a'.repeat(8000)}`)[0]?.host.length).toBe(253);
});
