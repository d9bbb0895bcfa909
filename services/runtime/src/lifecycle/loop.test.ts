import { expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../log/logger.js';
import { type LoopOptions, startLoop } from './loop.js';

const log = createLogger({ name: 'test', level: 'silent' });

/** Starts a loop that counts its rounds. `round` gets the number of the round, from 1. */
function count(
  options: Pick<LoopOptions, 'pauseMs' | 'longestPauseMs'>,
  round: (number: number) => boolean | number = () => false,
) {
  const counted = { rounds: 0 };
  const loop = startLoop({ name: 'test', log, ...options, round: async () => round(++counted.rounds) });
  return { loop, counted };
}

/** Lets the test move the time. */
function moveTime(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

/** Closes a loop that sleeps until the test moves the time. */
async function close(loop: ReturnType<typeof startLoop>): Promise<void> {
  const closing = loop.close();
  await vi.advanceTimersByTimeAsync(1);
  await closing;
}

it('repeats at once while there is more to do, pauses otherwise, and wakes on a kick', async () => {
  const { loop, counted } = count({ pauseMs: 60_000 }, (round) => round < 3);
  await vi.waitFor(() => expect(counted.rounds).toBe(3));
  loop.kick();
  await vi.waitFor(() => expect(counted.rounds).toBe(4));
  await loop.close();
  expect(counted.rounds).toBe(4);
});

it('makes longer pauses while there is nothing to do, and short ones after a kick', async () => {
  moveTime();
  const { loop, counted } = count({ pauseMs: 100, longestPauseMs: 10_000 });
  await vi.advanceTimersByTimeAsync(100_000);
  expect(counted.rounds).toBeGreaterThan(12);
  expect(counted.rounds).toBeLessThan(30);
  const before = counted.rounds;
  loop.kick();
  await vi.advanceTimersByTimeAsync(130);
  expect(counted.rounds).toBeGreaterThanOrEqual(before + 2);
  await close(loop);
});

it('sleeps no longer than until the time that a round returns', async () => {
  moveTime();
  const { loop, counted } = count({ pauseMs: 60_000 }, (round) => round === 1 && 500);
  await vi.advanceTimersByTimeAsync(510);
  expect(counted.rounds).toBe(2);
  await close(loop);
});

it('continues after a round that fails', async () => {
  const { loop, counted } = count({ pauseMs: 1 }, (round) => {
    if (round < 3) throw new Error('no');
    return false;
  });
  await vi.waitFor(() => expect(counted.rounds).toBeGreaterThan(3));
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
  moveTime();
  const round = (signal: AbortSignal) =>
    new Promise<boolean>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  await startLoop({ name: 'test', pauseMs: 1, closeLimitMs: 0, log, round }).close();
});
