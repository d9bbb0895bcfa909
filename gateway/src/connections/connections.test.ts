import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createLogger } from '@knowledge/runtime';
import { afterEach, expect, test, vi } from 'vitest';
import { limits } from '../protocol/limits.js';
import { createConnections } from './connections.js';

const log = createLogger({ name: 'gateway', destination: { write: () => undefined } });
const clients: Socket[] = [];
let server: Server;

afterEach(async () => {
  vi.useRealTimers();
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function listen(answer: string, max = 10): Promise<ReturnType<typeof createConnections>> {
  const connections = createConnections({ max, log, onRefused: () => undefined });
  server = createServer((request, response) => {
    connections.began(request, response);
    response.end(answer);
  });
  connections.attach(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return connections;
}

async function open(): Promise<Socket> {
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  clients.push(client.on('error', () => undefined));
  await once(client, 'connect');
  return client;
}

test('a client that never reads its answer loses its connection', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'Date'] });
  await listen('x'.repeat(64 * 1024 * 1024));
  const [[inside]] = await Promise.all([once(server, 'connection') as Promise<[Socket]>, open()]);
  clients[0]?.pause();
  clients[0]?.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await vi.waitUntil(() => inside.writableLength > 0);
  vi.advanceTimersByTime(limits.takeAnswerMs / 2);
  expect(inside.destroyed).toBe(false);
  vi.advanceTimersByTime(limits.takeAnswerMs);
  expect(inside.destroyed).toBe(true);
});

test('an end closes what waits for nothing at once, and what does not finish after its limit', async () => {
  const connections = await listen('answered');
  const idle = await open();
  const half = await open();
  half.write('GET / HTTP/1.1\r\nHo');
  await new Promise((resolve) => setTimeout(resolve, 50));
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  connections.end();
  await once(idle.resume(), 'close');
  expect(half.destroyed).toBe(false);
  vi.advanceTimersByTime(limits.stopMs);
  await once(half.resume(), 'close');
});
