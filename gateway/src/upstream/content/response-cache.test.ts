import { setTimeout as delay } from 'node:timers/promises';
import { ContentServiceService, type WatchChangesResponse } from '@knowledge/proto/knowledge/content/v1/content';
import { createLogger } from '@knowledge/runtime';
import { connectGrpc, type GrpcServer, type Handlers, implement, serveGrpc } from '@knowledge/runtime/grpc';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChangeStream } from './change-stream.js';
import { dependenciesOf } from './content-reader.js';
import { type CacheableResponse, freshnessWindowMs, ResponseCache } from './response-cache.js';

const log = createLogger({ name: 'test', level: 'silent' });
const unused = () => Promise.reject(new Error('not part of this test'));

/** A gRPC server for the change stream, whose messages the test chooses. */
class Peer {
  answersPings = true;
  endsEveryStream = false;
  starts: number[] = [];
  private emit: ((message: WatchChangesResponse) => Promise<void>) | undefined;
  private end: (() => void) | undefined;

  handler: Handlers<typeof ContentServiceService>['watchChanges'] = async (requests, _context, emit) => {
    this.emit = emit;
    const ended = new Promise<'ended'>((resolve) => (this.end = () => resolve('ended')));
    const iterator = requests[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([iterator.next(), ended]);
      if (next === 'ended' || next.done) return;
      const { message } = next.value;
      if (message?.$case === 'start') {
        this.starts.push(Number(message.value.afterPosition));
        await emit({
          message: { $case: 'started', value: { position: Math.max(5, Number(message.value.afterPosition)) } },
        });
        if (this.endsEveryStream) return;
      } else if (message?.$case === 'ping' && this.answersPings) {
        await emit({ message: { $case: 'pong', value: { nonce: message.value.nonce, position: 5 } } });
      }
    }
  };

  change(slug: string, position: number, tags: string[] = []): Promise<void> {
    const value = { position, subject: 'CHANGE_SUBJECT_ARTICLE' as never, site: 'SITE_ORG' as never, key: slug, tags };
    return this.emit?.({ message: { $case: 'change', value } }) ?? Promise.resolve();
  }

  break(): void {
    this.end?.();
  }
}

let peer: Peer;
let server: GrpcServer;
let client: ReturnType<typeof connectGrpc<typeof ContentServiceService>>;
let changeStream: ChangeStream;
let cache: ResponseCache;

beforeEach(async () => {
  peer = new Peer();
  const others = ['listArticles', 'getArticles', 'listHighlights', 'listObjects', 'getObject'];
  const handlers = { ...Object.fromEntries(others.map((name) => [name, unused])), watchChanges: peer.handler };
  server = await serveGrpc({
    address: '127.0.0.1:0',
    services: [implement(ContentServiceService, handlers as never)],
    health: [],
    log,
  });
  client = connectGrpc(ContentServiceService, { address: server.address });
  changeStream = new ChangeStream({
    open: () => client.watchChanges({ requestId: 'test' }),
    onChange: (change) => cache.invalidate(dependenciesOf(change)),
    onLost: () => cache.clear(),
    log,
  });
  cache = new ResponseCache(changeStream, 1_000_000);
  await vi.waitFor(() => expect(changeStream.provenUntil).toBeGreaterThan(0));
});
afterEach(async () => {
  changeStream.close();
  client.close();
  await server.close();
});

const rendered = (text: string, dependencies = ['article:org/a']): CacheableResponse => ({
  body: Buffer.from(text),
  etag: `"${text}"`,
  dependencies,
});
/** Waits until most of the freshness window is left, because a busy machine may pause the test. */
const proven = () =>
  vi.waitFor(() => {
    changeStream.noteReader();
    expect(performance.now() - changeStream.provenUntil).toBeLessThan(freshnessWindowMs / 2);
  });
const fill = (text: string) => vi.fn(async () => rendered(text));

it('is fetched once and then served from memory while the stream answers pings', async () => {
  const ask = fill('one');
  await cache.get('a', ask);
  const until = performance.now() + 400;
  while (performance.now() < until) {
    await proven();
    await cache.get('a', ask);
    await delay(5);
  }
  expect(ask).toHaveBeenCalledTimes(1);
});

it('is fetched again after a change of a dependency, and only then', async () => {
  await cache.get('a', fill('one'));
  await cache.get('b', fill('two').mockResolvedValue(rendered('two', ['article:org/b', 'tag:org/x'])));
  await peer.change('a', 6);
  await vi.waitFor(async () => expect((await cache.get('a', fill('new'))).body?.toString()).toBe('new'));
  await proven();
  expect((await cache.get('b', fill('asked'))).body?.toString()).toBe('two');
  await peer.change('other', 7, ['x']);
  await vi.waitFor(async () => expect((await cache.get('b', fill('asked'))).body?.toString()).toBe('asked'));
});

it('is not cached if a dependency changed while it was filled', async () => {
  let answer: (value: CacheableResponse) => void = () => undefined;
  const filling = cache.get('a', () => new Promise((resolve) => (answer = resolve)));
  await peer.change('a', 6);
  // A pong for a ping that was sent after the change shows that the change has arrived.
  const heard = performance.now();
  await vi.waitFor(() => {
    changeStream.noteReader();
    expect(changeStream.provenUntil).toBeGreaterThan(heard);
  });
  answer(rendered('before'));
  await filling;
  expect((await cache.get('a', fill('after'))).body?.toString()).toBe('after');
});

it('expires within the freshness window when the stream goes silent, and is then fetched each time', async () => {
  await cache.get('a', fill('one'));
  peer.answersPings = false;
  await delay(freshnessWindowMs + 80);
  const ask = fill('asked');
  expect((await cache.get('a', ask)).body?.toString()).toBe('asked');
  await delay(freshnessWindowMs + 80);
  expect((await cache.get('a', ask)).body?.toString()).toBe('asked');
  expect(ask).toHaveBeenCalledTimes(2);
});

it('survives a broken stream that resumes at its last position', async () => {
  await cache.get('a', fill('one'));
  await peer.change('z', 9);
  await vi.waitFor(async () => {
    const before = performance.now();
    changeStream.noteReader();
    await delay(30);
    expect(changeStream.provenUntil).toBeGreaterThan(before - 60);
  });
  peer.break();
  await vi.waitFor(() => expect(peer.starts).toEqual([0, 9]), 3_000);
  await proven();
  expect((await cache.get('a', fill('asked'))).etag).toBe('"one"');
});

it('is not fetched again while a stream that has lasted is replaced', async () => {
  await cache.get('a', fill('one'));
  await delay(150);
  const ask = fill('asked');
  peer.break();
  let last = performance.now();
  while (peer.starts.length < 2 || performance.now() - changeStream.provenUntil > freshnessWindowMs / 2) {
    // If the machine paused the test, the response may really be too old.
    if (performance.now() - last > freshnessWindowMs / 4) await proven();
    await cache.get('a', ask);
    last = performance.now();
    await delay(1);
  }
  expect(ask).not.toHaveBeenCalled();
});

it('does not make a server that ends every stream start new ones all the time', async () => {
  peer.endsEveryStream = true;
  peer.break();
  await delay(550);
  expect(peer.starts.length).toBeLessThanOrEqual(8);
});

it('may say "not found", until the article exists', async () => {
  const ask = vi.fn(
    async (): Promise<CacheableResponse> => ({ body: undefined, etag: '', dependencies: ['article:org/a'] }),
  );
  await cache.get('a', ask);
  await proven();
  await cache.get('a', ask);
  expect(ask).toHaveBeenCalledTimes(1);
  await peer.change('a', 6);
  await vi.waitFor(async () => expect((await cache.get('a', fill('now'))).body?.toString()).toBe('now'));
});

it('is fetched once for all callers who wait for it, and a failure is not cached', async () => {
  const failing = vi.fn(() => Promise.reject(new Error('down')));
  const results = await Promise.allSettled([cache.get('a', failing), cache.get('a', failing)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(failing).toHaveBeenCalledTimes(1);
  expect((await cache.get('a', fill('up'))).body?.toString()).toBe('up');
});
