import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { registerLoadShedding } from './load-shedding.js';

let app: FastifyInstance;
let shed: number;

beforeEach(async () => {
  shed = 0;
  app = fastify();
  await registerLoadShedding(app, { shed: () => (shed += 1) });
  app.get('/', () => 'ok');
  await app.ready();
});

afterEach(() => app.close());

it('answers after one long step', async () => {
  block(1_800);
  await wait(300);
  expect((await app.inject('/')).body).toBe('ok');
  expect(shed).toBe(0);
});

it('refuses requests while every step takes too long', async () => {
  const end = Date.now() + 4_500;
  while (Date.now() < end) {
    block(700);
    await setImmediate();
  }
  expect((await app.inject('/')).body).toContain('The service is busy');
  expect(shed).toBe(1);
});

function block(ms: number): void {
  const end = Date.now() + ms;
  while (Date.now() < end);
}
