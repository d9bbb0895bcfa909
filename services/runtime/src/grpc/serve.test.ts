import { once } from 'node:events';
import { connect } from 'node:net';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { HealthService, HealthCheckResponse_ServingStatus as Serving } from '@knowledge/proto/grpc/health/v1/health';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../config/read-config.js';
import { createTestAuthority } from '../testing/certificates.js';
import { accessTable, protoService } from './access.js';
import { connectGrpc } from './connect.js';
import type { HandlerContext } from './context.js';
import {
  call,
  closeFixtures,
  EchoService,
  type Emit,
  echoClient,
  echoService,
  later,
  type Note,
  read,
  recordingLog,
  seeing,
  serve,
} from './serving.fixture.js';

afterEach(closeFixtures);

function healthClient(address: string) {
  const client = connectGrpc(HealthService, { address });
  later(() => client.close());
  return client;
}

async function statusOf(address: string, service: string): Promise<Serving> {
  return (await healthClient(address).check({ service }, call)).status;
}

describe('listening', () => {
  it.each(['127.0.0.1:0', '127.1.2.3:0', 'localhost:0', '[::1]:0'])(
    'on loopback (%s) needs no TLS',
    async (address) => {
      const server = await serve({ address, services: [echoService()] });
      expect(server.address).not.toMatch(/:0$/);
      await expect(echoClient(server.address).echo({ text: 'x' }, call)).resolves.toEqual({ text: 'x' });
    },
  );

  it.each(['0.0.0.0:0', '[::]:0', '10.0.0.1:0', 'example.org:0', '127.0.0.1.example.org:0'])(
    'beyond loopback (%s) is refused without TLS',
    async (address) => {
      await expect(serve({ address })).rejects.toBeInstanceOf(ConfigError);
    },
  );

  it('beyond loopback without TLS is possible with the option `plaintext`', async () => {
    expect((await serve({ address: '0.0.0.0:0', plaintext: true })).address).toMatch(/^0\.0\.0\.0:\d/);
  });

  it('fails if another process uses the address', async () => {
    const { address } = await serve();
    await expect(serve({ address })).rejects.toThrow('EADDRINUSE');
  });
});

describe('health', () => {
  it('reports "", readiness, liveness and every service', async () => {
    const { address } = await serve({ services: [echoService()] });
    for (const service of ['', 'readiness', 'liveness', 'test.v1.EchoService']) {
      expect(await statusOf(address, service)).toBe(Serving.SERVING);
    }
    await expect(statusOf(address, 'test.v1.Other')).rejects.toMatchObject({ cause: { code: 5 } });
  });

  it('is ready when all dependencies work, not ready after three failures, and always alive', async () => {
    let there = false;
    const database = {
      name: 'database',
      check: () => (there ? Promise.resolve() : Promise.reject(new Error('not there'))),
    };
    const { log, lines } = recordingLog();
    const server = await serve({ log, health: [database, { name: 'other', check: async () => undefined }] });
    expect(await statusOf(server.address, 'readiness')).toBe(Serving.NOT_SERVING);
    there = true;
    await vi.waitFor(async () => expect(await statusOf(server.address, '')).toBe(Serving.SERVING), 5000);
    there = false;
    const lost = Date.now();
    const status = () => statusOf(server.address, 'readiness');
    await expect.poll(status, { timeout: 6000, interval: 20 }).toBe(Serving.NOT_SERVING);
    expect(Date.now() - lost).toBeGreaterThan(1900);
    expect(lines).toContainEqual(expect.stringContaining('"ready":false,"failing":["database"]'));
    expect(await statusOf(server.address, 'liveness')).toBe(Serving.SERVING);
    expect(lines.some((line) => line.includes('a dependency does not answer'))).toBe(true);
  });

  it('fails a check that takes longer than one second', async () => {
    const check = vi.fn((_signal: AbortSignal) => new Promise(() => undefined));
    await serve({ health: [{ name: 'hanging', check }] });
    await vi.waitFor(() => expect(check.mock.calls[0]?.[0].aborted).toBe(true), 2000);
    await vi.waitFor(() => expect(check.mock.calls.length).toBeGreaterThan(1), 3000);
  });
});

describe('closing', () => {
  const held = () => {
    let finish = (): void => undefined;
    const begun = vi.fn();
    const echo = (request: Note) =>
      new Promise<Note>((resolve) => {
        begun();
        finish = () => resolve(request);
      });
    return { begun, service: echoService({ echo }), finish: () => finish() };
  };

  it('lets running calls finish, accepts no new calls, and happens only once', async () => {
    const { begun, service, finish } = held();
    const server = await serve({ services: [service], closeLimitSeconds: 5 });
    const running = echoClient(server.address).echo({ text: 'x' }, call);
    await vi.waitFor(() => expect(begun).toHaveBeenCalled());
    const closed = server.close();
    expect(server.close()).toBe(closed);
    const done = vi.fn();
    void closed.then(done);
    const refused = () => echoClient(server.address).echo({ text: 'y' }, call);
    await vi.waitFor(() => expect(refused()).rejects.toMatchObject({ code: 'unavailable' }));
    expect(done).not.toHaveBeenCalled();
    finish();
    await expect(running).resolves.toEqual({ text: 'x' });
    await closed;
  });

  it('cuts off calls that run at the limit', async () => {
    const { begun, service } = held();
    const server = await serve({ services: [service], closeLimitSeconds: 0.1 });
    const running = echoClient(server.address, { deadlineMs: 60_000 }).echo({ text: 'x' }, call);
    running.catch(() => undefined);
    await vi.waitFor(() => expect(begun).toHaveBeenCalled());
    await server.close();
    await expect(running).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('ends streams and health watches, so that they do not delay it', async () => {
    const repeat = async (_request: Note, { signal }: HandlerContext, emit: Emit) => {
      await emit({ text: 'first' });
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    const server = await serve({ services: [echoService({ repeat })], closeLimitSeconds: 10 });
    const stream = echoClient(server.address).repeat({ text: '' }, call);
    const failed = new Promise<Error>((resolve) => stream.once('error', resolve));
    await once(stream, 'data');
    const watch = healthClient(server.address).watch({ service: '' }, call);
    watch.on('error', () => undefined);
    await once(watch, 'data');
    const begun = Date.now();
    await server.close();
    expect(Date.now() - begun).toBeLessThan(3000);
    await expect(failed).resolves.toMatchObject({ code: 14 });
  });

  it('serves calls during the drain delay, but is not ready', async () => {
    const server = await serve({ services: [echoService()], drainDelaySeconds: 0.3 });
    const client = echoClient(server.address);
    const closed = server.close();
    expect(await statusOf(server.address, 'readiness')).toBe(Serving.NOT_SERVING);
    expect(await statusOf(server.address, 'liveness')).toBe(Serving.SERVING);
    await expect(client.echo({ text: 'x' }, call)).resolves.toEqual({ text: 'x' });
    await closed;
    await expect(client.echo({ text: 'x' }, call)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('mutual TLS', () => {
  const authority = createTestAuthority();
  const pair = (name: string) => ({ ...authority.issue(name), ca: authority.ca });

  it('accepts callers with a certificate of the authority and uses the certificate name as the actor', async () => {
    const actors: (string | undefined)[] = [];
    const echo = seeing(({ actor }) => actors.push(actor));
    const server = await serve({ tls: pair('content'), address: '0.0.0.0:0', services: [echoService({ echo })] });
    const address = server.address.replace('0.0.0.0', 'localhost');
    const client = echoClient(address, { tls: pair('gateway') });
    await client.echo({ text: '' }, call);
    await client.echo({ text: '' }, { ...call, actor: 'anna' });
    expect(actors).toEqual(['gateway', 'anna via gateway']);
  });

  it('lets callers call only the methods of the access list', async () => {
    const access = accessTable(
      protoService(EchoService, { echo: ['gateway', 'editor'], repeat: ['editor'], check: [], chat: ['editor'] }),
    );
    const { log, lines } = recordingLog();
    const tls = pair('content');
    const server = await serve({ log, access, address: 'localhost:0', tls, services: [echoService()] });
    const as = (name: string) => echoClient(server.address, { tls: pair(name) });
    await expect(as('gateway').echo({ text: 'x' }, call)).resolves.toEqual({ text: 'x' });
    await expect(as('desk').echo({ text: 'x' }, call)).resolves.toEqual({ text: 'x' });
    await expect(read(as('desk').repeat({ text: 'x' }, call))).resolves.toEqual(['x0', 'x1', 'x2']);
    for (const name of ['quota', 'nobody']) {
      const refused = as(name).echo({ text: 'x' }, call);
      await expect(refused).rejects.toMatchObject({ code: 'unavailable', cause: { code: 7 } });
      await expect(read(as(name).repeat({ text: 'x' }, call))).rejects.toMatchObject({ code: 7 });
    }
    await expect(read(as('gateway').repeat({ text: 'x' }, call))).rejects.toMatchObject({
      code: 7,
      details: 'gateway may not call test.v1.EchoService/Repeat; it may call EchoService/Echo.',
    });
    await expect(read(as('editor').repeat({ text: 'x' }, call))).resolves.toHaveLength(3);
    expect(lines.join('')).toContain('quota may not call test.v1.EchoService/Echo; it may call nothing here.');
  });

  it('with half a pair or without an authority is a configuration fault', async () => {
    await expect(serve({ tls: { cert: 'x' } })).rejects.toBeInstanceOf(ConfigError);
    expect(() => echoClient('127.0.0.1:1', { tls: { cert: 'x', key: 'y' } })).toThrow(ConfigError);
  });
});

it('a hostile or broken peer does not bring the server down', async () => {
  const { address } = await serve({ services: [echoService()] });
  const port = Number(address.split(':')[1]);
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\n\r\n'));
  socket.on('error', () => undefined);
  await once(socket, 'data');
  socket.destroy();
  const client = new Client(address, credentials.createInsecure());
  later(() => client.close());
  const raw = (bytes: Buffer) => bytes;
  const broken = new Promise((resolve) => {
    const metadata = new Metadata();
    client.makeUnaryRequest('/test.v1.EchoService/Echo', raw, raw, Buffer.from('not json'), metadata, resolve);
  });
  await expect(broken).resolves.toMatchObject({ code: 13 });
  await expect(echoClient(address).echo({ text: 'x' }, call)).resolves.toEqual({ text: 'x' });
});

it('a client reconnects within 3 s after its service is back', async () => {
  const first = await serve({ services: [echoService()] });
  const { address } = first;
  const client = echoClient(address);
  await client.echo({ text: '' }, call);
  await first.close();
  const down = Date.now();
  while (Date.now() - down < 1500) await client.echo({ text: '' }, call).catch(() => undefined);
  await serve({ address, services: [echoService()] });
  const up = Date.now();
  await vi.waitFor(() => client.echo({ text: '' }, call), { timeout: 5000, interval: 20 });
  expect(Date.now() - up).toBeLessThan(3000);
});
