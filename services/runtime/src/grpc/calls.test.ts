import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deadlineIn } from '../deadline.js';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { HandlerContext } from './context.js';
import {
  call,
  closeFixtures,
  EchoService,
  type Emit,
  echoClient,
  echoing,
  echoService,
  later,
  type Note,
  read,
  recordingLog,
  seeing,
  serve,
} from './serving.fixture.js';
import { fromServiceError } from './status.js';

afterEach(closeFixtures);

/** Sends one call to a server and returns the context that its handler received. */
async function contextOf(metadata: Record<string, string>): Promise<HandlerContext> {
  let seen: HandlerContext | undefined;
  const echo = seeing((context) => {
    seen = context;
    expect(context.peer).toMatch(/^127\.0\.0\.1:\d+$/);
  });
  const server = await serve({ services: [echoService({ echo })] });
  const client = new Client(server.address, credentials.createInsecure());
  later(() => client.close());
  const { path, requestSerialize, responseDeserialize } = EchoService.echo;
  const sent = new Metadata();
  for (const [key, value] of Object.entries(metadata)) sent.set(key, value);
  await new Promise<void>((resolve, reject) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { text: '' }, sent, (error) =>
      error ? reject(error) : resolve(),
    );
  });
  if (seen === undefined) throw new Error('The handler was not called.');
  return seen;
}

describe('every kind of call', () => {
  it('returns a response', async () => {
    const client = await echoing();
    await expect(client.echo({ text: 'á 名 \0\n' }, call)).resolves.toEqual({ text: 'á 名 \0\n' });
    await expect(read(client.repeat({ text: 'x' }, call))).resolves.toEqual(['x0', 'x1', 'x2']);
    const chat = client.chat(call);
    for (const text of ['a', 'b']) chat.write({ text });
    chat.end();
    await expect(read(chat)).resolves.toEqual(['A', 'B']);
  });

  it('becomes ready when the service is reached', async () => {
    const { address } = await serve({ services: [echoService()] });
    await echoClient(address).ready(deadlineIn(2000));
    await expect(echoClient('127.0.0.1:1').ready(deadlineIn(200))).rejects.toMatchObject({ code: 'unavailable' });
  });
});

it.each([
  ['\xe9', '\xe9'],
  ['Zoë 名, job:outbox', 'Zoë 名, job:outbox'],
  ['a\nb', 'a b'],
  ['\0', 'nul'],
])('metadata that cannot be sent is left out, and the call is made: %j', async (text, actor) => {
  let seen: HandlerContext | undefined;
  const echo = seeing((context) => (seen = context));
  const { address } = await serve({ services: [echoService({ echo })] });
  const traceparent = `01-${'a'.repeat(32)}-${'b'.repeat(16)}-00-${text}`;
  const options = { requestId: `id-${text}`, traceparent, actor };
  await expect(echoClient(address).echo({ text: 'a' }, options)).resolves.toEqual({ text: 'a' });
  expect([seen?.traceparent, seen?.actor]).toEqual([undefined, actor]);
  expect(seen?.requestId).toMatch(/^[0-9a-f-]{36}$/);
});

describe('an error', () => {
  const fail = (error: unknown) => ({
    echo: async () => {
      throw error;
    },
    repeat: async (_request: Note, _context: HandlerContext, emit: Emit) => {
      await emit({ text: 'first' });
      throw error;
    },
  });

  it('thrown as a KnowledgeError arrives with code, message, metadata, status and retry time', async () => {
    const options = { metadata: { revision: '7' }, retryAfterSeconds: 3, grpcStatus: 10 };
    const error = new KnowledgeError('invalid_state', 'Stale révision.', options);
    const client = await echoing(fail(error));
    const expected = { code: 'invalid_state', message: 'Stale révision.', ...options };
    await expect(client.echo({ text: '' }, call)).rejects.toMatchObject({ ...expected, cause: { code: 10 } });
    const stream = client.repeat({ text: '' }, call);
    expect(await read(stream).catch(fromServiceError)).toMatchObject(expected);
  });

  it('of another class shows only the request id to the caller, and is logged with its stack', async () => {
    const { log, lines } = recordingLog();
    const { address } = await serve({ log, services: [echoService(fail(new TypeError('secret detail')))] });
    const error = await echoClient(address).echo({ text: '' }, { requestId: 'abc' }).catch(KnowledgeError.from);
    expect(error).toMatchObject({ code: 'internal_error', message: 'Something went wrong; request abc.' });
    expect(JSON.stringify((error as KnowledgeError).cause)).not.toContain('secret detail');
    const logged = lines.find((line) => line.includes('secret detail'));
    const facts = { level: 'error', request_id: 'abc', method: '/test.v1.EchoService/Echo' };
    expect(JSON.parse(logged ?? '{}')).toMatchObject(facts);
    expect(logged).toContain('calls.test.ts');
  });

  it('logs every call that names an actor, with its request id', async () => {
    const { log, lines } = recordingLog();
    const refuse = fail(new KnowledgeError('invalid_state', 'It is published.'));
    const client = await echoing(refuse, { log });
    const options = { requestId: 'refused-1', actor: 'ada' };
    await expect(client.echo({ text: '' }, options)).rejects.toMatchObject({ code: 'invalid_state' });
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 'info', request_id: 'refused-1', actor: 'ada', reason: 'invalid_state' }),
    );
  });

  it('of 200 calls does not flood the log', async () => {
    const { log, lines } = recordingLog();
    const client = await echoing(fail(new Error('broken')), { log });
    const calls = Array.from({ length: 200 }, () => client.echo({ text: '' }, call).catch(() => undefined));
    await Promise.all(calls);
    const failures = lines.filter((line) => line.includes('a call failed'));
    expect(failures.length).toBeGreaterThanOrEqual(20);
    expect(failures.length).toBeLessThan(100);
  });

  it('that a handler throws synchronously reaches the caller too', async () => {
    const echo = () => {
      throw new KnowledgeError('not_found', 'No.');
    };
    const { address } = await serve({ services: [echoService({ echo })] });
    await expect(echoClient(address).echo({ text: '' }, call)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('with a very long message keeps its code', async () => {
    const client = await echoing(fail(new KnowledgeError('bad_request', '名'.repeat(100_000))));
    await expect(client.echo({ text: '' }, call)).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('caused by an outage is unavailable: no primary, a message that is too large, no server', async () => {
    const gaveUp = Object.assign(new Error('no primary at db-0'), { name: 'MongoServerSelectionError' });
    const client = await echoing(fail(gaveUp), { maxRequestBytes: 1000 });
    const down = { code: 'unavailable', retryAfterSeconds: 1, message: expect.not.stringContaining('db-0') };
    await expect(client.echo({ text: '' }, call)).rejects.toMatchObject(down);
    await expect(client.echo({ text: 'x'.repeat(2000) }, call)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(echoClient('127.0.0.1:1').echo({ text: '' }, call)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

it('a request has at most 256 KiB, unless its service allows more', async () => {
  const text = 'x'.repeat(256 * 1024);
  const client = await echoing();
  await expect(client.echo({ text }, call)).rejects.toMatchObject({ code: 'unavailable' });
  const shorter = { text: text.slice(100) };
  await expect(client.echo(shorter, call)).resolves.toEqual(shorter);
  const wide = await echoing({}, { maxRequestBytes: 1024 * 1024 });
  await expect(wide.echo({ text }, call)).resolves.toEqual({ text });
});

it('a handler that sends many queries at once makes Node warn of nothing', async () => {
  const warned = vi.fn();
  process.on('warning', warned);
  const echo = async (request: Note, { signal }: HandlerContext) => {
    for (let at = 0; at < 20; at++) signal.addEventListener('abort', () => at);
    return request;
  };
  await (await echoing({ echo })).echo({ text: '' }, call);
  await new Promise(setImmediate);
  process.off('warning', warned);
  expect(warned).not.toHaveBeenCalled();
});

describe('a deadline', () => {
  it('ends the call for the caller and aborts the work of the handler', async () => {
    let reason: unknown;
    const echo = (request: Note, { signal }: HandlerContext) =>
      new Promise<Note>((resolve) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          resolve(request);
        });
      });
    const { address } = await serve({ services: [echoService({ echo })] });
    const begun = Date.now();
    const waiting = echoClient(address).echo({ text: '' }, { ...call, deadline: deadlineIn(100) });
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    expect(Date.now() - begun).toBeLessThan(1000);
    await vi.waitFor(() => expect(reason).toBeInstanceOf(DOMException));
  });

  it('is never later than the client allows', async () => {
    const never = () => new Promise<Note>(() => undefined);
    const client = await echoing({ echo: never }, {}, { deadlineMs: 80 });
    const begun = Date.now();
    const waiting = client.echo({ text: '' }, { ...call, deadline: deadlineIn(60_000) });
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    expect(Date.now() - begun).toBeLessThan(1000);
  });

  it('for the connection ends a call that reaches nobody, and none that was reached', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const lost = echoClient(`127.0.0.1:${port}`, { deadlineMs: 60_000, connectMs: 100 });
    const cause = { message: 'Failed to connect before the deadline' };
    await expect(lost.echo({ text: '' }, call)).rejects.toMatchObject({ code: 'unavailable', cause });
    silent.close();
    const slow = async (request: Note) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return request;
    };
    const client = await echoing({ echo: slow }, {}, { deadlineMs: 60_000, connectMs: 100 });
    await client.ready(deadlineIn(10_000));
    await expect(client.echo({ text: 'x' }, call)).resolves.toEqual({ text: 'x' });
  });

  it('set by the caller reaches the handler', async () => {
    const seen: number[] = [];
    const echo = seeing((context) => seen.push(context.deadline - Date.now()));
    const { address } = await serve({ services: [echoService({ echo })] });
    await echoClient(address, { deadlineMs: 60_000 }).echo({ text: '' }, { ...call, deadline: deadlineIn(700) });
    expect(seen[0]).toBeGreaterThan(300);
    expect(seen[0]).toBeLessThanOrEqual(700);
    expect((await contextOf({})).deadline - Date.now()).toBeGreaterThan(8000);
  });

  it('is not the only end: the caller can also abort the call, which is not logged', async () => {
    const called = vi.fn();
    const aborted = vi.fn();
    const echo = (_request: Note, { signal }: HandlerContext) => {
      called();
      return new Promise<Note>((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted();
          reject(signal.reason as Error);
        });
      });
    };
    const { log, lines } = recordingLog();
    const { address } = await serve({ log, services: [echoService({ echo })] });
    const controller = new AbortController();
    const waiting = echoClient(address).echo({ text: '' }, { ...call, signal: controller.signal });
    waiting.catch(() => undefined);
    await vi.waitFor(() => expect(called).toHaveBeenCalled());
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    await vi.waitFor(() => expect(aborted).toHaveBeenCalled());
    expect(lines.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([]);
  });
});

describe('a context', () => {
  it('gets request id, trace and actor from the metadata', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const context = await contextOf({ 'x-request-id': 'a.B_c-1', traceparent, 'x-actor': 'anna%20%E5%90%8D' });
    const method = '/test.v1.EchoService/Echo';
    expect(context).toMatchObject({ requestId: 'a.B_c-1', traceparent, actor: 'anna 名', method });
  });

  it('replaces missing or malformed metadata', async () => {
    for (const id of ['', 'a b', 'x'.repeat(129), '../x']) {
      const context = await contextOf({ 'x-request-id': id, traceparent: 'nonsense', 'x-actor': '' });
      expect(context.requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(context).toMatchObject({ traceparent: undefined, actor: undefined });
    }
  });

  it.each(['%E5', 'a%0Ab', '%00', '%E2%80%AEeve', 'x'.repeat(201), encodeURIComponent('名'.repeat(201))])(
    'is not made for an actor that is not short and printable: %s',
    async (actor) => {
      const refused = expect.objectContaining({ code: 3, details: expect.stringContaining('x-actor') });
      await expect(contextOf({ 'x-actor': actor })).rejects.toEqual(refused);
    },
  );

  it('returns the request id before the messages of a stream and after every response', async () => {
    const service = echoService({ repeat: async (_request, context) => context.announce({ 'x-cursor': '1' }) });
    const { address } = await serve({ services: [service] });
    const client = echoClient(address);
    const stream = client.repeat({ text: '' }, call);
    const ahead = await new Promise<Metadata>((resolve) => stream.once('metadata', resolve));
    const behind = await new Promise<{ metadata: Metadata }>((resolve) => {
      stream.once('status', resolve);
      stream.resume();
    });
    expect([ahead, behind.metadata].map((each) => each.get('x-request-id'))).toEqual([['test-1'], ['test-1']]);
    const { path, requestSerialize, responseDeserialize } = EchoService.echo;
    const plain = new Client(address, credentials.createInsecure());
    later(() => plain.close());
    const trailers = await new Promise<Metadata>((resolve) => {
      plain
        .makeUnaryRequest(path, requestSerialize, responseDeserialize, { text: '' }, () => undefined)
        .on('status', ({ metadata }) => resolve(metadata));
    });
    expect(trailers.get('x-request-id')).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });
});
