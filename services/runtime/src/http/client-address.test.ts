import { describe, expect, it } from 'vitest';
import { clientAddressOf, trustedProxies } from './request.js';

describe('clientAddressOf', () => {
  const from = (ip: string | undefined, remoteAddress: string | undefined = '10.0.0.1') =>
    clientAddressOf({ ip, raw: { socket: { remoteAddress } } } as never);

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['"[2001:db8::1]:443"', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['garbage', '10.0.0.1'],
    ['unknown', '10.0.0.1'],
    ['1', '10.0.0.1'],
    ['', '10.0.0.1'],
  ])('%j is %s', (ip, address) => {
    expect(from(ip)).toBe(address);
  });

  it('gives an address for a client that has disconnected', () => {
    const gone = { ip: undefined, raw: { socket: { remoteAddress: undefined } } } as never;
    expect(clientAddressOf(gone)).toBe('0.0.0.0');
  });
});

describe('trustedProxies', () => {
  const trusted = trustedProxies(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);

  it.each(['10.1.2.3', '10.1.2.3:8080', '::ffff:10.1.2.3', '192.0.2.1:1', '[2001:db8::5]:443'])(
    'trusts %s',
    (address) => {
      expect(trusted !== false && trusted(address)).toBe(true);
    },
  );

  it.each(['11.0.0.1', '192.0.2.2', '2001:db9::1', 'garbage', ''])('does not trust %j', (address) => {
    expect(trusted !== false && trusted(address)).toBe(false);
  });

  it('ignores forwarded addresses if no proxy is trusted', () => expect(trustedProxies([])).toBe(false));
});
