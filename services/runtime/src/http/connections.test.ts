import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../log/logger.js';
import { createConnections } from './connections.js';
import { httpLimits } from './request.js';

const log = createLogger({ name: 'gateway', destination: { write: () => undefined } });
const clients: Socket[] = [];
let server: Server;

afterEach(async () => {
  vi.useRealTimers();
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

type Options = Partial<Parameters<typeof createConnections>[0]>;

const answering =
  (body: string): RequestListener =>
  (_, response) =>
    void response.end(body);
const onRefused = () => undefined;

async function listen({ max = 10, ...more }: Options = {}, listener = answering('answered')) {
  const connections = createConnections({ max, perNetwork: max, isProxy: () => false, log, onRefused, ...more });
  server = createServer((request, response) => connections.serve(request, response, listener));
  connections.attach(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return connections;
}

async function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
  clients.push(client.on('error', () => undefined));
  await once(client, 'connect');
  return client;
}

it('a client that never reads its response loses its connection', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'Date'] });
  await listen({}, answering('x'.repeat(64 * 1024 * 1024)));
  const [[inside]] = await Promise.all([once(server, 'connection') as Promise<[Socket]>, open()]);
  clients[0]?.pause();
  clients[0]?.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await vi.waitUntil(() => inside.writableLength > 0);
  vi.advanceTimersByTime(httpLimits.readResponseMs / 2);
  expect(inside.destroyed).toBe(false);
  vi.advanceTimersByTime(httpLimits.readResponseMs);
  expect(inside.destroyed).toBe(true);
});

it('a stop closes idle connections at once, and refuses a request that does not arrive in time', async () => {
  const connections = await listen();
  const idle = await open();
  const half = await open();
  half.write('GET / HTTP/1.1\r\nHo');
  await new Promise((resolve) => setTimeout(resolve, 50));
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  connections.end();
  await once(idle.resume(), 'close');
  expect(half.destroyed).toBe(false);
  vi.advanceTimersByTime(httpLimits.stopMs);
  expect(await received(half)).toMatch(/^HTTP\/1\.1 503 .*send it again/s);
  await once(half, 'close');
});

const received = async (client: Socket) => String((await once(client, 'data'))[0]);

function ask(client: Socket, path = '/'): Promise<string> {
  client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return received(client);
}

describe('connections beyond the bound', () => {
  it('replace an admitted connection that never sent a request', async () => {
    await listen({ max: 1 });
    const silent = await open();
    const gone = once(silent, 'close');
    await vi.waitUntil(async () => (await ask(await open())).includes('answered'), { timeout: 10_000 });
    await gone;
  });

  it('are refused at once', async () => {
    await listen({ max: 1 });
    await open();
    expect(await received(await open())).toMatch(/^HTTP\/1\.1 503 /);
  });
});

describe('the connections of one network', () => {
  it('are limited, so that other networks can connect', async () => {
    await listen({ max: 6, perNetwork: 2 });
    await Promise.all([open(), open()]);
    expect(await ask(await open())).toMatch(/^HTTP\/1\.1 503 /);
    expect(await ask(await open('127.0.0.2'))).toContain('answered');
  });

  it('are closed when idle, if the network needs a new connection', async () => {
    await listen({ max: 6, perNetwork: 1 });
    const idle = await open();
    const other = await open('127.0.0.2');
    await Promise.all([ask(idle), ask(other)]);
    const gone = once(idle, 'close');
    await ask(await open());
    await gone;
    expect(await ask(await open())).toContain('answered');
    expect(await ask(other)).toContain('answered');
  });

  it('are not limited if they come from a trusted proxy', async () => {
    await listen({ max: 6, perNetwork: 1, isProxy: (address) => address === '127.0.0.1' });
    const all = await Promise.all([open(), open(), open()]);
    for (const each of all) expect(await ask(each)).toContain('answered');
  });
});

describe('many requests at once on one connection', () => {
  const responsesIn = (text: string): number => text.split('HTTP/1.1 200').length - 1;
  /** Sends them, and returns what has arrived by the time it is called. */
  const send = (client: Socket, count: number): (() => string) => {
    let text = '';
    client.on('data', (chunk) => (text += chunk));
    client.write(`GET /slow HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count));
    return () => text;
  };

  it('are served in their order, and other connections get their turn in between', async () => {
    const served: string[] = [];
    const busy: string[] = [];
    let together = 0;
    await listen({}, ({ url = '' }, response) => {
      served.push(url);
      busy.push(url);
      together = Math.max(together, busy.filter((each) => each === '/slow').length);
      response.once('close', () => busy.splice(busy.indexOf(url), 1));
      setImmediate(() => response.end(url));
    });
    const rude = await open();
    const other = await open('127.0.0.2');
    const text = send(rude, 30);
    await ask(other, '/other');
    await vi.waitUntil(() => responsesIn(text()) === 30);
    expect([together, served.length, rude.destroyed]).toEqual([1, 31, false]);
    expect(served.indexOf('/other')).toBeLessThan(30);
  });

  it('close the connection beyond the bound, after the responses to earlier requests', async () => {
    let begun = 0;
    await listen({}, (_, response) => {
      begun += 1;
      // Together they take longer than one response may.
      setTimeout(() => response.end('x'), 130);
    });
    const rude = await open();
    const text = send(rude, 400);
    await once(rude, 'close');
    expect([begun, responsesIn(text())]).toEqual([httpLimits.waitingRequests + 1, httpLimits.waitingRequests + 1]);
    expect(text().match(/connection: close/gi)).toHaveLength(1);
    expect(await ask(await open())).toMatch(/^HTTP\/1\.1 200/);
  });

  it('close the connection at once if there are thousands, and free its memory', async () => {
    let begun = 0;
    await listen({}, () => void begun++);
    const [[inside], rude] = await Promise.all([once(server, 'connection') as Promise<[Socket]>, open()]);
    send(rude, 2_000);
    await once(rude, 'close');
    expect([begun, inside.destroyed]).toEqual([1, true]);
  });
});
