import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { clientAddressOf, networkOf, trustedProxies } from './client-address.js';

describe('the address that limits count', () => {
  const from = (ip: string | undefined, remoteAddress: string | undefined = '10.0.0.1') =>
    clientAddressOf({ ip, raw: { socket: { remoteAddress } } } as unknown as FastifyRequest);

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

  it('a client that has disconnected has an address too', () => {
    const gone = { ip: undefined, raw: { socket: { remoteAddress: undefined } } } as unknown as FastifyRequest;
    expect(clientAddressOf(gone)).toBe('0.0.0.0');
  });

  it('an IPv6 customer is counted by its /64', () => {
    expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8::ffff:1'));
    expect(networkOf('2001:db8::1')).not.toBe(networkOf('2001:db8:0:1::1'));
    expect(networkOf('203.0.113.9')).not.toBe(networkOf('203.0.113.10'));
  });
});

describe('trusted proxies', () => {
  const trusted = trustedProxies(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);

  it.each(['10.1.2.3', '10.1.2.3:8080', '::ffff:10.1.2.3', '192.0.2.1:1', '[2001:db8::5]:443'])(
    '%s is one, with or without its port',
    (address) => {
      expect(trusted !== false && trusted(address)).toBe(true);
    },
  );

  it.each(['11.0.0.1', '192.0.2.2', '2001:db9::1', 'garbage', ''])('%j is not trusted', (address) => {
    expect(trusted !== false && trusted(address)).toBe(false);
  });

  it('without trusted proxies, forwarded addresses are ignored', () => {
    expect(trustedProxies([])).toBe(false);
  });
});
