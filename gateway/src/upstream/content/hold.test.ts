import { setTimeout as delay } from 'node:timers/promises';
import type { WatchChangesRequest, WatchChangesResponse } from '@knowledge/proto/knowledge/content/v1/content';
import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { createLogger } from '@knowledge/runtime';
import { bidiStream, connectGrpc, type GrpcServer, implement, serveGrpc } from '@knowledge/runtime/grpc';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Feed, followChanges } from './feed.js';
import { createHold, type Hold, leaseMs, type Rendered } from './hold.js';
import { topicsOf } from './topics.js';

const log = createLogger({ name: 'test', level: 'silent' });
const unused = () => Promise.reject(new Error('not part of this test'));

/** The other end of the stream: a real gRPC server whose answers a test decides. */
class Peer {
  answersPings = true;
  starts: number[] = [];
  private emit: ((message: WatchChangesResponse) => Promise<void>) | undefined;
  private end: (() => void) | undefined;

  handler = bidiStream(
    async (
      requests: AsyncIterable<WatchChangesRequest>,
      _context: unknown,
      emit: (message: WatchChangesResponse) => Promise<void>,
    ) => {
      this.emit = emit;
      const ended = new Promise<'ended'>((resolve) => {
        this.end = () => resolve('ended');
      });
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
        } else if (message?.$case === 'ping' && this.answersPings) {
          await emit({ message: { $case: 'pong', value: { nonce: message.value.nonce, position: 5 } } });
        }
      }
    },
  );

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
let feed: Feed;
let hold: Hold;

beforeEach(async () => {
  peer = new Peer();
  const handlers = {
    listArticles: unused,
    getArticles: unused,
    listHighlights: unused,
    listObjects: unused,
    getObject: unused,
    watchChanges: peer.handler,
  };
  server = await serveGrpc({
    address: '127.0.0.1:0',
    services: [implement(ContentServiceService, handlers as never)],
    health: [],
    log,
  });
  client = connectGrpc(ContentServiceService, { address: server.address });
  feed = followChanges({
    open: () => client.watchChanges({ requestId: 'test' }),
    onChange: (change) => hold.invalidate(topicsOf(change)),
    onLost: () => hold.clear(),
    log,
  });
  hold = createHold(feed, 1_000_000);
  await vi.waitFor(() => expect(feed.knownUntil).toBeGreaterThan(0));
});
afterEach(async () => {
  feed.close();
  client.close();
  await server.close();
});

const rendered = (text: string, topics = ['article:org/a']): Rendered => ({
  body: Buffer.from(text),
  etag: `"${text}"`,
  topics,
});
/** Waits for a moment in which the lease holds with room to spare: a machine that stalls is no fault of the hold. */
const proven = () =>
  vi.waitFor(() => {
    feed.touch();
    expect(performance.now() - feed.knownUntil).toBeLessThan(leaseMs / 2);
  });
const fill = (text: string) => vi.fn(async () => rendered(text));

describe('a held answer', () => {
  it('is asked once and then served from memory while the stream answers pings', async () => {
    const ask = fill('one');
    await hold.get('a', ask);
    const until = performance.now() + 400;
    while (performance.now() < until) {
      await proven();
      await hold.get('a', ask);
      await delay(5);
    }
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('is asked again after a change of what it depends on, and only then', async () => {
    await hold.get('a', fill('one'));
    await hold.get('b', fill('two').mockResolvedValue(rendered('two', ['article:org/b', 'tag:org/x'])));
    await peer.change('a', 6);
    await vi.waitFor(async () => expect((await hold.get('a', fill('new'))).body?.toString()).toBe('new'));
    await proven();
    expect((await hold.get('b', fill('asked'))).body?.toString()).toBe('two');
    await peer.change('other', 7, ['x']);
    await vi.waitFor(async () => expect((await hold.get('b', fill('asked'))).body?.toString()).toBe('asked'));
  });

  it('is not kept if what it depends on changed while it was filled', async () => {
    let answer: (value: Rendered) => void = () => undefined;
    const filling = hold.get('a', () => new Promise((resolve) => (answer = resolve)));
    await peer.change('a', 6);
    // The change has been heard once a pong that was asked for after it came back.
    const heard = performance.now();
    await vi.waitFor(() => {
      feed.touch();
      expect(feed.knownUntil).toBeGreaterThan(heard);
    });
    answer(rendered('before'));
    await filling;
    expect((await hold.get('a', fill('after'))).body?.toString()).toBe('after');
  });

  it('lapses within the lease when the stream goes silent, and is asked again each time', async () => {
    await hold.get('a', fill('one'));
    peer.answersPings = false;
    await delay(leaseMs + 80);
    const ask = fill('asked');
    expect((await hold.get('a', ask)).body?.toString()).toBe('asked');
    await delay(leaseMs + 80);
    expect((await hold.get('a', ask)).body?.toString()).toBe('asked');
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('survives a broken stream that resumes at its last position', async () => {
    await hold.get('a', fill('one'));
    await peer.change('z', 9);
    await vi.waitFor(async () => {
      const before = performance.now();
      feed.touch();
      await delay(30);
      expect(feed.knownUntil).toBeGreaterThan(before - 60);
    });
    peer.break();
    await vi.waitFor(() => expect(peer.starts).toEqual([0, 9]), 3_000);
    await proven();
    expect((await hold.get('a', fill('asked'))).etag).toBe('"one"');
  });

  it('that does not exist is held too, until it does', async () => {
    const ask = vi.fn(async (): Promise<Rendered> => ({ body: undefined, etag: '', topics: ['article:org/a'] }));
    await hold.get('a', ask);
    await proven();
    await hold.get('a', ask);
    expect(ask).toHaveBeenCalledTimes(1);
    await peer.change('a', 6);
    await vi.waitFor(async () => expect((await hold.get('a', fill('now'))).body?.toString()).toBe('now'));
  });

  it('callers of the same missing answer share one fill, and a failed fill is not held', async () => {
    const failing = vi.fn(() => Promise.reject(new Error('down')));
    const results = await Promise.allSettled([hold.get('a', failing), hold.get('a', failing)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(failing).toHaveBeenCalledTimes(1);
    expect((await hold.get('a', fill('up'))).body?.toString()).toBe('up');
  });
});
