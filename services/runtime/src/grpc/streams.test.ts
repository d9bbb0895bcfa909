import { afterEach, expect, it, vi } from 'vitest';
import type { HandlerContext } from './context.js';
import { call, closeFixtures, type Emit, echoing, type Note, read, recordingLog } from './serving.fixture.js';

afterEach(closeFixtures);

it('waits for a slow reader', async () => {
  let emitted = 0;
  const repeat = async (_request: Note, _context: HandlerContext, emit: Emit) => {
    for (; emitted < 5000; emitted++) await emit({ text: 'x'.repeat(1000) });
  };
  const stream = (await echoing({ repeat })).repeat({ text: '' }, call);
  let read = 0;
  for await (const _ of stream) {
    read++;
    if (read === 1) await vi.waitFor(() => expect(emitted).toBeGreaterThan(10));
    expect(emitted - read).toBeLessThan(4000);
  }
  expect(read).toBe(5000);
});

it('stops without a log line when its reader has disconnected', async () => {
  const ended = vi.fn();
  const repeat = async (_request: Note, _context: HandlerContext, emit: Emit) => {
    try {
      for (;;) await emit({ text: 'x'.repeat(10_000) });
    } finally {
      ended();
    }
  };
  const { log, lines } = recordingLog();
  const controller = new AbortController();
  const stream = (await echoing({ repeat }, { log })).repeat({ text: '' }, { ...call, signal: controller.signal });
  stream.on('error', () => undefined);
  stream.once('data', () => controller.abort());
  await vi.waitFor(() => expect(ended).toHaveBeenCalled());
  expect(lines.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([]);
});

it('in both directions can send a response after it stopped reading requests', async () => {
  const chat = async (requests: AsyncIterable<Note>, _context: HandlerContext, emit: Emit) => {
    for await (const { text } of requests) {
      await emit({ text });
      break;
    }
    await emit({ text: 'bye' });
  };
  const stream = (await echoing({ chat })).chat(call);
  stream.write({ text: 'hello' });
  await expect(read(stream)).resolves.toEqual(['hello', 'bye']);
});

it('ends the loop over its requests when the caller has disconnected', async () => {
  const ended = vi.fn();
  const chat = async (requests: AsyncIterable<Note>, _context: HandlerContext, emit: Emit) => {
    try {
      for await (const { text } of requests) await emit({ text });
    } finally {
      ended();
    }
  };
  const stream = (await echoing({ chat })).chat(call);
  stream.on('error', () => undefined);
  stream.write({ text: 'hello' });
  stream.once('data', () => stream.cancel());
  await vi.waitFor(() => expect(ended).toHaveBeenCalled());
});
