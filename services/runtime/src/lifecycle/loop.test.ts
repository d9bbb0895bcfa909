import { expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../log/logger.js';
import { startLoop } from './loop.js';

const log = createLogger({ name: 'test', level: 'silent' });

it('repeats at once while there is more to do, pauses otherwise, and wakes on a kick', async () => {
  let left = 3;
  let rounds = 0;
  const loop = startLoop({
    name: 'test',
    pauseMs: 60_000,
    log,
    round: async () => {
      rounds++;
      return --left > 0;
    },
  });
  await vi.waitFor(() => expect(rounds).toBe(3));
  loop.kick();
  await vi.waitFor(() => expect(rounds).toBe(4));
  await loop.close();
  expect(rounds).toBe(4);
});

it('makes longer pauses while there is nothing to do, and short ones after a kick', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let rounds = 0;
  const loop = startLoop({
    name: 'test',
    pauseMs: 100,
    longestPauseMs: 10_000,
    log,
    round: async () => {
      rounds++;
      return false;
    },
  });
  await vi.advanceTimersByTimeAsync(100_000);
  expect(rounds).toBeGreaterThan(12);
  expect(rounds).toBeLessThan(30);
  const before = rounds;
  loop.kick();
  await vi.advanceTimersByTimeAsync(130);
  expect(rounds).toBeGreaterThanOrEqual(before + 2);
  const closing = loop.close();
  await vi.advanceTimersByTimeAsync(1);
  await closing;
});

it('sleeps no longer than until the time that a round returns', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let rounds = 0;
  const loop = startLoop({
    name: 'test',
    pauseMs: 60_000,
    log,
    round: async () => {
      rounds++;
      return rounds === 1 ? 500 : false;
    },
  });
  await vi.advanceTimersByTimeAsync(510);
  expect(rounds).toBe(2);
  const closing = loop.close();
  await vi.advanceTimersByTimeAsync(1);
  await closing;
});

it('continues after a round that fails', async () => {
  let rounds = 0;
  const loop = startLoop({
    name: 'test',
    pauseMs: 1,
    log,
    round: async () => {
      if (++rounds < 3) throw new Error('no');
      return false;
    },
  });
  await vi.waitFor(() => expect(rounds).toBeGreaterThan(3));
  await loop.close();
});

it('waits for the running round before it closes', async () => {
  let finish = (): void => undefined;
  let ended = false;
  const loop = startLoop({
    name: 'test',
    pauseMs: 1,
    log,
    round: async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      ended = true;
      return false;
    },
  });
  const closing = loop.close();
  finish();
  await closing;
  expect(ended).toBe(true);
});

it('aborts the running round at once if it may not continue while the loop closes', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const loop = startLoop({
    name: 'test',
    pauseMs: 1,
    closeLimitMs: 0,
    log,
    round: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  });
  await loop.close();
});
