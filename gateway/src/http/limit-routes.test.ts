import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import underPressure from '@fastify/under-pressure';
import { hasCode } from '@knowledge/runtime';
import { loadShedding, registerProbes, trustedProxies } from '@knowledge/runtime/http';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import fastify from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
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

let app: FastifyInstance;
let shed: number;

beforeEach(async () => {
  shed = 0;
  app = fastify();
  await app.register(underPressure, loadShedding('The service', { shed: () => (shed += 1) }));
  app.get('/', () => 'ok');
  registerProbes(app, { name: 'The service', services: {}, isDraining: () => false });
  await app.ready();
});

afterEach(() => app.close());

it('answers after one long step', async () => {
  block(1_800);
  await wait(300);
  expect((await app.inject('/')).body).toBe('ok');
  expect(shed).toBe(0);
});

it('refuses requests and answers probes while every step takes too long', async () => {
  // By steps, since a machine that stood still for seconds would make one step of them all.
  for (let step = 0; step < 7; step++) {
    block(700);
    await setImmediate();
  }
  expect((await app.inject('/')).body).toContain('The service is busy');
  for (const path of ['/healthz', '/readyz']) expect((await app.inject(path)).statusCode).toBe(200);
  expect(shed).toBe(1);
});

function block(ms: number): void {
  const end = Date.now() + ms;
  while (Date.now() < end);
}
