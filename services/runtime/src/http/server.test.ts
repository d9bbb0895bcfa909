import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
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

it('a draining gateway sends one more complete response on a connection, then closes it', async () => {
  expect((await ask()).headers.connection).toBe('keep-alive');
  draining = true;
  const last = await ask();
  expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
});
