import { expect, it } from 'vitest';
import { joinAddress, listenAt, splitAddress } from './variable.js';

it.each([
  ['127.0.0.1:80', '127.0.0.1', 80],
  ['[::]:0', '::', 0],
  ['[fd00::2]:50051', 'fd00::2', 50051],
  ['content.knowledge:1', 'content.knowledge', 1],
])('splits and joins %s', (address, host, port) => {
  expect(splitAddress(address)).toEqual({ host, port });
  expect(joinAddress(host, port)).toBe(address);
  expect(joinAddress(address.slice(0, address.lastIndexOf(':')), port)).toBe(address);
});

it('listens on all IPv4 addresses for [::] on a system without IPv6, and hides no other fault', async () => {
  const withoutIPv6 = (host: string) =>
    host.includes(':') ? Promise.reject(new Error(`listen EAFNOSUPPORT ${host}`)) : Promise.resolve(host);
  expect(await listenAt('[::]:1', withoutIPv6)).toBe('0.0.0.0');
  await expect(listenAt('[::1]:1', withoutIPv6)).rejects.toThrow('EAFNOSUPPORT');
  await expect(listenAt('[::]:1', () => Promise.reject(new Error('EADDRINUSE')))).rejects.toThrow('EADDRINUSE');
});
