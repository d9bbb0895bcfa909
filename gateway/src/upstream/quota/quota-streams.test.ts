import { setTimeout as pause } from 'node:timers/promises';
import { type ConsumeRequest, QuotaServiceService } from '@knowledge/proto/knowledge/quota/v1/quota';
import { type Closable, closeAll, createLogger, deadlineIn } from '@knowledge/runtime';
import { connectGrpc, type GrpcServer, type Handlers, implement, serveGrpc } from '@knowledge/runtime/grpc';
import { startTelemetry, type Telemetry } from '@knowledge/runtime/telemetry';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { QuotaStreams } from './quota-streams.js';

const log = createLogger({ name: 'test', level: 'silent' });
const opened: Closable[] = [];
let telemetry: Telemetry;
beforeEach(async () => {
  telemetry = await startTelemetry('test', {} as Parameters<typeof startTelemetry>[1], log);
});
afterEach(() => closeAll(opened.splice(0)));

/** A replica of quota on loopback that remembers the ids which it was asked to count. */
interface Replica {
  readonly server: GrpcServer;
  readonly asked: string[];
  /** The calls wait for this before they are answered. */
  hold: Promise<unknown>;
  /** Ends every stream with an error, as a broken connection does. */
  breaks: () => void;
  readonly streams: { now: number; opened: number };
}

async function replica(handlers: Partial<Handlers<typeof QuotaServiceService>> = {}): Promise<Replica> {
  const breaking = new Set<(error: Error) => void>();
  const self: Omit<Replica, 'server'> & { id: string } = {
    id: Math.random().toString(36),
    asked: [],
    hold: Promise.resolve(),
    breaks: () => {
      for (const each of breaking) each(new Error('broken'));
    },
    streams: { now: 0, opened: 0 },
  };
  const all: Handlers<typeof QuotaServiceService> = {
    consume: async () => ({ results: [], now: new Date() }),
    settle: async () => ({}),
    peek: async () => ({ allowances: [] }),
    async consumeStream(requests, { draining }, emit) {
      self.streams.now += 1;
      self.streams.opened += 1;
      await emit({ number: 0, message: { $case: 'opened', value: { replicaId: self.id } } });
      draining.addEventListener('abort', () => void emit({ number: 0, message: { $case: 'closing', value: {} } }));
      const running: Promise<void>[] = [];
      const read = async (): Promise<void> => {
        for await (const { number, call } of requests) {
          if (call?.$case === 'consume') self.asked.push(...call.value.items.map(({ id }) => id));
          const answered = self.hold.then(() =>
            emit({ number, message: { $case: 'consumed', value: { results: [], now: new Date() } } }),
          );
          running.push(answered.catch(() => undefined));
        }
        await Promise.all(running);
      };
      try {
        await Promise.race([read(), new Promise<never>((_, reject) => breaking.add(reject))]);
      } finally {
        self.streams.now -= 1;
      }
    },
    ...handlers,
  };
  const server = await serveGrpc({
    address: '127.0.0.1:0',
    services: [implement(QuotaServiceService, all)],
    health: [],
    log,
    closeLimitSeconds: 2,
  });
  opened.push(server);
  return Object.assign(self, { server });
}

function streamsTo(address: string, renewMs?: number): QuotaStreams {
  const client = connectGrpc(QuotaServiceService, { address, deadlineMs: 1_500 });
  const streams = new QuotaStreams({
    open: () => client.consumeStream({ requestId: 'stream' }),
    ...{ telemetry, log, callMs: 1_500 },
    ...(renewMs !== undefined && { renewMs }),
  });
  opened.push({ close: () => client.close() }, streams);
  return streams;
}

const both = (...replicas: Replica[]): string => `ipv4:${replicas.map(({ server }) => server.address).join()}`;

const item = (id: string): ConsumeRequest => ({
  items: [{ id, context: undefined, charges: [], endsAt: undefined }],
  lease: undefined,
  settlesEarlierTurn: false,
});
const ask = (streams: QuotaStreams, id: string): Promise<unknown> =>
  streams.consume(item(id), { requestId: id, deadline: deadlineIn(1_500) });

it('share one stream to a replica, also while it is renewed again and again', async () => {
  const one = await replica();
  const streams = streamsTo(one.server.address, 20);
  for (let at = 0; one.streams.opened < 12; at += 1) {
    await ask(streams, `${at}`);
    await pause(1);
  }
  expect(one.asked).toEqual(one.asked.map((_, at) => `${at}`));
  await vi.waitFor(() => expect(one.streams.now).toBeLessThanOrEqual(3));
});

it('reach every replica', async () => {
  const [one, two] = [await replica(), await replica()];
  const streams = streamsTo(both(one, two), 50);
  await vi.waitFor(async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => ask(streams, id)));
    expect(one.asked.length * two.asked.length).toBeGreaterThan(0);
  });
});

it('are sent again to another replica with the same id if their stream breaks', async () => {
  const [one, two] = [await replica(), await replica()];
  const streams = streamsTo(both(one, two), 50);
  await vi.waitFor(() => expect(Math.min(one.streams.now, two.streams.now)).toBeGreaterThan(0));
  for (const each of [one, two]) each.hold = new Promise(() => undefined);
  const answer = ask(streams, 'again');
  await vi.waitFor(() => expect([...one.asked, ...two.asked]).toEqual(['again']));
  const [holder, other] = one.asked.length > 0 ? [one, two] : [two, one];
  other.hold = Promise.resolve();
  holder.breaks();
  await answer;
  expect(other.asked).toContain('again');
});

it('are also sent to another replica if the first one keeps silent', async () => {
  const [one, two] = [await replica(), await replica()];
  one.hold = new Promise(() => undefined);
  const streams = streamsTo(both(one, two));
  await vi.waitFor(() => expect(Math.min(one.streams.now, two.streams.now)).toBeGreaterThan(0));
  await Promise.all(Array.from({ length: 8 }, (_, at) => ask(streams, `${at}`)));
  expect(new Set(two.asked).size).toBe(8);
});

it('are answered by a replica that drains', async () => {
  const one = await replica();
  const streams = streamsTo(one.server.address);
  await ask(streams, 'first');
  let release = (): void => undefined;
  one.hold = new Promise<void>((resolve) => (release = resolve));
  const answer = ask(streams, 'last');
  await vi.waitFor(() => expect(one.asked).toContain('last'));
  const closed = one.server.close();
  await pause(50);
  release();
  await answer;
  await closed;
  await expect(ask(streams, 'too late')).rejects.toMatchObject({ code: 'unavailable' });
});

it('fail without a replica, and are answered as soon as there is one', async () => {
  const streams = streamsTo('127.0.0.1:1');
  await expect(ask(streams, 'a')).rejects.toMatchObject({ code: 'unavailable' });
});

it('end at their deadline', async () => {
  const one = await replica();
  one.hold = new Promise(() => undefined);
  const streams = streamsTo(one.server.address);
  const options = { requestId: 'short', deadline: deadlineIn(100) };
  await expect(streams.consume(item('a'), options)).rejects.toMatchObject({ code: 'unavailable' });
});
