import { hasCode } from '@knowledge/runtime';
import { trustedProxies } from '@knowledge/runtime/http';
import fastify, { type FastifyPluginAsync } from 'fastify';
import { expect, it } from 'vitest';
import { limitPages } from './limit-routes.js';

it('nobody has more pages by other ports behind a proxy, or by other networks of IPv6', async () => {
  const app = fastify({ trustProxy: trustedProxies(['127.0.0.1', '10.0.0.0/8']) });
  app.setErrorHandler((error, _request, reply) => reply.code(hasCode(error, 'rate_limited') ? 429 : 500).send());
  const plugin: FastifyPluginAsync = async (pages) => {
    await limitPages(pages, 2);
    pages.get('/', async () => 'a page');
  };
  await app.register(plugin);
  const from = async (forwarded: string) =>
    (await app.inject({ url: '/', headers: { 'x-forwarded-for': forwarded } })).statusCode;
  expect(await from('203.0.113.9:1001')).toBe(200);
  expect(await from('203.0.113.9:1002, 10.0.0.1:80')).toBe(200);
  expect(await from('198.51.100.1, 203.0.113.9:1003, 10.0.0.1:81')).toBe(429);
  expect(await from('203.0.113.10:1001')).toBe(200);
  // The /56 around an IPv6 address has four times the room of each /64 in it.
  const pages: number[] = [];
  for (let at = 1; at <= 10; at++) pages.push(await from(`2001:db8:0:${at}::1`));
  expect(pages.filter((status) => status === 200)).toHaveLength(8);
});
