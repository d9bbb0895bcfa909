import { hasCode } from '@knowledge/runtime';
import { trustedProxies } from '@knowledge/runtime/http';
import fastify, { type FastifyPluginAsync } from 'fastify';
import { expect, it } from 'vitest';
import { limitPages } from './limit-pages.js';

it('a proxy that forwards ports gives nobody a limit for each of them', async () => {
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
});
