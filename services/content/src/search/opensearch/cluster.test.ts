import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTestAuthority } from '@knowledge/runtime/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectCluster } from './cluster.js';

const authority = createTestAuthority();
const asked: (string | undefined)[] = [];
const server = createServer(authority.issue('opensearch'), (request, response) => {
  asked.push(request.headers.authorization);
  response.writeHead(request.url === '/missing' ? 404 : 200, { 'content-type': 'application/json' });
  response.end('{"version":{"number":"2.19.1"}}');
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close().closeAllConnections());

const user = { username: 'content', password: 'p:ä', index: 'texts' };
const signal = new AbortController().signal;

function connect(ca: string | undefined) {
  return connectCluster({ nodes: [`https://127.0.0.1:${(server.address() as AddressInfo).port}`], ca, ...user });
}

it('signs in with user and password at a cluster whose authority is trusted', async () => {
  await connect(authority.ca)({ method: 'GET', path: '/' }, signal);
  expect(asked).toEqual([`Basic ${Buffer.from('content:p:ä').toString('base64')}`]);
});

it('sends nothing to a cluster that another authority vouches for', async () => {
  const before = asked.length;
  for (const ca of [undefined, createTestAuthority().ca])
    await expect(connect(ca)({ method: 'GET', path: '/' }, signal)).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked).toHaveLength(before);
});

it('takes any failure for an outage but those that are answers too', async () => {
  const cluster = connect(authority.ca);
  const missing = { method: 'GET', path: '/missing' };
  await expect(cluster(missing, signal)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(cluster(missing, signal, { ignore: [404] })).resolves.toBeDefined();
  await expect(cluster(missing, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});
