import { randomUUID } from 'node:crypto';
import type { ConsumeStreamRequest, ConsumeStreamResponse } from '@knowledge/proto/knowledge/quota/v1/quota';
import { type Closable, closeAll } from '@knowledge/runtime';
import { fromServiceError, fromStatus } from '@knowledge/runtime/grpc';
import { openTestDatabase, quietEnvironment } from '@knowledge/runtime/testing';
import { afterAll, expect, it, vi } from 'vitest';
import { start } from '../service.js';
import { callOf, clientRead, connectTestClients, summary, wireItem } from '../testing/clients.js';

const opened: Closable[] = [];
const mongo = openTestDatabase('quota_stream');
const service = await start(quietEnvironment(mongo.db));
opened.push(mongo, service);
await service.ready;
const clients = await connectTestClients(service.address);
opened.push(clients);
afterAll(() => closeAll(opened));

type Call = NonNullable<ConsumeStreamRequest['call']>;

function openStream() {
  const stream = clients.quota.consumeStream({ requestId: 'stream' });
  const received: ConsumeStreamResponse[] = [];
  const over = new Promise<unknown>((resolve) => {
    stream.on('error', resolve);
    stream.on('end', () => resolve(undefined));
  });
  stream.on('data', (message: ConsumeStreamResponse) => received.push(message));
  const send = (number: number, call?: Call, seconds = 5): void => {
    const context = { requestId: `call-${number}`, traceparent: '', timeout: { seconds, nanos: 0 } };
    stream.write({ number, context, call });
  };
  const answerOf = (number: number): Promise<ConsumeStreamResponse['message']> =>
    vi.waitFor(() => {
      const found = received.find((message) => message.number === number && message.message?.$case !== 'opened');
      if (found === undefined) throw new Error(`no answer ${number}`);
      return found.message;
    });
  return { stream, received, over, send, answerOf };
}

const consumeOf = (client: string, id: string = randomUUID(), lease?: { id: string; turn: number }): Call => ({
  $case: 'consume',
  value: { ...callOf(wireItem(id, clientRead(client))), lease },
});

async function outcome(answer: Promise<ConsumeStreamResponse['message']>): Promise<string> {
  const message = await answer;
  if (message?.$case === 'error') return fromStatus(message.value).code;
  return message?.$case === 'consumed' ? message.value.results.map(summary).join() : (message?.$case ?? 'nothing');
}

it('counts and settles as unary calls do, and begins with the id of the replica', async () => {
  const { stream, received, send, answerOf, over } = openStream();
  const lease = { id: randomUUID(), turn: 1 };
  send(1, consumeOf('a', 'one', lease));
  expect(await outcome(answerOf(1))).toBe('granted 2');
  send(2, { $case: 'settle', value: { settlements: [{ lease, undelivered: [] }] } });
  send(3, consumeOf('a', 'one'));
  expect(await outcome(answerOf(2))).toBe('settled');
  expect(await outcome(answerOf(3))).toBe('granted 2');
  const { results } = await clients.quota.consume(callOf(wireItem('two', clientRead('a'))), { requestId: 'unary' });
  expect(results.map(summary)).toEqual(['granted 1']);
  stream.end();
  expect(await over).toBeUndefined();
  const other = openStream();
  await vi.waitFor(() => expect(other.received[0]).toEqual(received[0]));
  expect(received[0]).toMatchObject({
    number: 0,
    message: { $case: 'opened', value: { replicaId: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
  });
  other.stream.end();
});

it('answers an invalid or late call with its own error, and goes on', async () => {
  const { stream, send, answerOf } = openStream();
  send(1);
  send(2, { $case: 'settle', value: { settlements: [{ lease: undefined, undelivered: [] }] } });
  send(3, { $case: 'consume', value: { ...callOf(), lease: { id: '', turn: 0 } } });
  send(4, consumeOf('late'), 0);
  send(5, consumeOf('late'));
  const outcomes = await Promise.all([1, 2, 3, 4, 5].map((number) => outcome(answerOf(number))));
  expect(outcomes).toEqual([...Array<string>(3).fill('validation_error'), 'unavailable', 'granted 2']);
  stream.end();
});

it('answers more calls than run at once, and those of a caller that has closed its side', async () => {
  const { stream, send, answerOf, over } = openStream();
  const numbers = Array.from({ length: 300 }, (_, at) => at + 1);
  for (const number of numbers) send(number, consumeOf(`many-${number % 150}`));
  stream.end();
  const outcomes = await Promise.all(numbers.map((number) => outcome(answerOf(number))));
  expect(outcomes.sort()).toEqual([...Array<string>(150).fill('granted 1'), ...Array<string>(150).fill('granted 2')]);
  expect(await over).toBeUndefined();
});

it('refuses a message that is no request', async () => {
  const { stream, over } = openStream();
  const huge = Array.from({ length: 1024 }, (_, at) => wireItem(`${at}`, clientRead('x'.repeat(2000))));
  stream.write({ number: 1, context: undefined, call: { $case: 'consume', value: callOf(...huge) } });
  expect(fromServiceError(await over).code).toBe('unavailable');
});

it('tells its callers when the replica drains, and still answers', async () => {
  const { stream, received, send, answerOf, over } = openStream();
  send(1, consumeOf('drain'));
  expect(await outcome(answerOf(1))).toBe('granted 2');
  const closed = service.close();
  await vi.waitFor(() => expect(received.at(-1)?.message?.$case).toBe('closing'));
  send(2, consumeOf('drain'));
  stream.end();
  expect(await outcome(answerOf(2))).toBe('granted 1');
  expect(await over).toBeUndefined();
  await closed;
});
