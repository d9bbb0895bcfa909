import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createOpenConnections } from './open-connections.js';

function from(remoteAddress: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
}

it('bounds the networks around an IPv6 address, each with more room than the one inside it', () => {
  const connections = createOpenConnections({ max: 1_000, perNetwork: 2, isProxy: false });
  const admitted = (addresses: readonly string[]) =>
    addresses.filter((address) => connections.admit(from(address)) === 'admitted').length;
  expect(admitted(['2001:db8::1', '2001:db8::2', '2001:db8::3'])).toBe(2);
  const in56 = (at: number) =>
    Array.from({ length: 12 }, (_, host) => `2001:db8:0:${((at << 8) + host + 1).toString(16)}::1`);
  expect(admitted(in56(0))).toBe(6);
  expect(admitted([...in56(1), ...in56(2), ...in56(3), ...in56(4)])).toBe(24);
  expect(admitted(['2001:db8:1::1', '192.0.2.1', '192.0.2.1', '192.0.2.1'])).toBe(3);
});

it('makes room in the network that is full, and in no other', () => {
  const connections = createOpenConnections({ max: 1_000, perNetwork: 1, isProxy: false });
  const idle = from('2001:db8::1');
  const other = from('2001:db8:0:1::1');
  for (const socket of [idle, other]) {
    connections.admit(socket);
    connections.requestArrived(socket);
    connections.responseSent(socket);
  }
  const next = from('2001:db8::2');
  expect(connections.admit(next)).toBe('network');
  connections.closeIdle(next);
  expect([idle.destroyed, other.destroyed]).toEqual([true, false]);
});
