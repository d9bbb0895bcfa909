import { expect, it } from 'vitest';
import { bucketsOf, networkOf } from './networks.js';

it('counts an IPv4 address alone, also inside IPv6', () => {
  expect(bucketsOf('203.0.113.9')).toEqual([{ network: '203.0.113.9', factor: 1 }]);
  expect(bucketsOf('::ffff:203.0.113.9')).toEqual(bucketsOf('203.0.113.9'));
});

it('counts an IPv6 address in its /64, its /56 and its /48, with growing room', () => {
  expect(bucketsOf('2001:DB8:1:2f3:4::5')).toEqual([
    { network: '2001:db8:1:2f3::/64', factor: 1 },
    { network: '2001:db8:1:200::/56', factor: 4 },
    { network: '2001:db8:1:0::/48', factor: 16 },
  ]);
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64');
});
