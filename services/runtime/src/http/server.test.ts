import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createConnections } from './connections/connections.js';
import { createServer } from './server.js';

let draining = false;
const fastPath = { answer: () => false };
const server = createServer((_request, response) => void response.end('answered'), {
  fastPath,
  connections: createConnections({
    max: 100,
    perNetwork: 100,
    isProxy: false,
    log: undefined as never,
    onRefused: () => undefined,
  }),
  isDraining: () => draining,
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

it('a draining gateway sends one more complete response on a connection, then closes it', async () => {
  expect((await ask()).headers.connection).toBe('keep-alive');
  draining = true;
  const last = await ask();
  expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
});
