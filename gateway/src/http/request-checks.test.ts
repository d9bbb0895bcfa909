import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { createLogger, type Logger } from '@knowledge/runtime';
import { httpLimits } from '@knowledge/runtime/http';
import type { FastifyBaseLogger } from 'fastify';
import fastify from 'fastify';
import { afterAll, expect, it, vi } from 'vitest';
import { watch } from '../testing/stand-ins.js';
import { registerErrorHandler, toKnowledgeError } from './error-handler.js';
import { registerRequestChecks } from './request-checks.js';

const lines: string[] = [];
const log: Logger = createLogger({ name: 'gateway', destination: { write: (line) => void lines.push(line) } });
const faults: string[] = [];

const app = fastify({ loggerInstance: log as FastifyBaseLogger });
afterAll(() => app.close());
registerErrorHandler(app, () => 'a page');
app.addHook('onError', async (request, _reply, error) => void faults.push(toKnowledgeError(error, request).code));
registerRequestChecks(app, { config: { HSTS_SECONDS: 60 }, watch });
app.route({
  method: ['GET', 'POST'],
  url: '/left',
  handler: async ({ deadline }) => ({ left: deadline - Date.now() }),
});
const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);

it('the deadline of a response begins at the end of the body', async () => {
  const request = httpRequest({ port, method: 'POST', path: '/left', headers: { 'content-type': 'application/json' } });
  request.write('{');
  await new Promise((resolve) => setTimeout(resolve, 500));
  request.end('}');
  const [response] = await once(request, 'response');
  const [text] = await once(response, 'data');
  expect(JSON.parse(String(text)).left).toBeGreaterThan(httpLimits.responseMs - 300);
});

it('every response has the common headers, and HSTS if it is configured', async () => {
  const { headers } = await app.inject('/left');
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'strict-transport-security': 'max-age=60' });
});

it('a client that disconnects while it sends its body is not logged as an error', async () => {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.write('POST /left HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{');
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.resetAndDestroy();
  await vi.waitFor(() => expect(faults).toEqual(['bad_request']));
  expect(lines.join('')).not.toContain('"level":"error"');
});
