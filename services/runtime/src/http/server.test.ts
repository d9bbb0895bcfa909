import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createConnections } from './connections.js';
import { createServer } from './server.js';

let draining = false;
const fastPath = { answer: () => false };
const server = createServer(({ url, headers }, response) => void response.end(`answered ${url} of ${headers.host}`), {
  fastPath,
  connections: createConnections({
    max: 100,
    perNetwork: 100,
    isProxy: false,
    log: undefined as never,
    onRefused: () => undefined,
  }),
  isDraining: () => draining,
  isProxy: (address) => address === '127.0.0.2',
});
const agent = new Agent({ keepAlive: true });

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(async () => {
  agent.destroy();
  server.close();
  await once(server, 'close');
});

async function ask(): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const [response] = (await once(get({ port, agent }), 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

it.each(['HTTP/1.0', 'HTTP/1.1'])('a last response that comes before the body (%s) is not lost', async (version) => {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' });
  const problems: Error[] = [];
  let text = '';
  socket.on('error', (error) => problems.push(error));
  socket.on('data', (bytes) => {
    text += bytes;
  });
  const length = 40 * 8_000;
  socket.write(`POST / ${version}\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`);
  const ended = once(socket, 'end');
  await once(socket, 'data');
  // Each step waits until the one before is sent, so a reset would be noticed.
  for (let step = 0; step < 40 && !socket.destroyed; step += 1)
    await new Promise<unknown>((resolve) => socket.write('x'.repeat(8_000), resolve));
  await ended;
  expect([problems, text]).toEqual([[], expect.stringContaining('answered')]);
  socket.destroy();
});

it.each([
  ['/a?b', 'a.example', undefined, '127.0.0.1', '/a?b of a.example'],
  ['http://B.example:80/a?b', 'a.example', undefined, '127.0.0.1', '/a?b of B.example:80'],
  ['HTTPS://b.example?b', 'a.example', undefined, '127.0.0.1', '/?b of b.example'],
  ['http://b.example', 'a.example', undefined, '127.0.0.1', '/ of b.example'],
  ['/', 'a.example', 'b.example', '127.0.0.1', '/ of a.example'],
  ['/', 'upstream', 'evil.example, b.example', '127.0.0.2', '/ of b.example'],
  ['http://upstream/', 'upstream', 'b.example', '127.0.0.2', '/ of b.example'],
])('%s with Host %s and X-Forwarded-Host %s from %s is %s', async (target, host, forwarded, localAddress, asked) => {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const more = forwarded === undefined ? '' : `X-Forwarded-Host: ${forwarded}\r\n`;
  socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`);
  let text = '';
  for await (const bytes of socket) text += bytes;
  expect(text).toContain(`answered ${asked}`);
});

it('a draining gateway sends one more complete response on a connection, then closes it', async () => {
  expect((await ask()).headers.connection).toBe('keep-alive');
  draining = true;
  const last = await ask();
  expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
});
