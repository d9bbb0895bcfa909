import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { clientAddressOf, isApiTarget } from './raw-request.js';

describe('protocol.md 2: what is under /api/ is told by the path, however it is written', () => {
  test.each([
    '/api',
    '/api/',
    '/api?x',
    '/api/v1/x',
    'http://host/api/v1/x',
    'HTTP://host:1/api',
    '/%61pi/v1',
    '/api%2Fv1',
  ])('%s is', (target) => {
    expect(isApiTarget(target)).toBe(true);
  });

  test.each(['/', '/apix', '/articles/api', 'http://api/x', '/%zz'])('%s is not', (target) => {
    expect(isApiTarget(target)).toBe(false);
  });
});

describe('protocol.md 1: a forwarded value that is no address counts for nothing', () => {
  const from = (ip: string) =>
    clientAddressOf({ ip, raw: { socket: { remoteAddress: '10.0.0.1' } } } as unknown as FastifyRequest);

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['garbage', '10.0.0.1'],
    ['unknown', '10.0.0.1'],
    ['', '10.0.0.1'],
  ])('%j is %s', (ip, address) => {
    expect(from(ip)).toBe(address);
  });
});
