import { expect, it } from 'vitest';
import { deferredDelayMs, unreachableDelayMs } from './backoff.js';

it('grows from 5 s to 10 min, with random variation', () => {
  expect([1, 2, 3, 20, 1000].map((attempts) => deferredDelayMs(attempts, 0))).toEqual([
    5000, 10_000, 20_000, 400_000, 400_000,
  ]);
  expect(deferredDelayMs(1000, 1)).toBe(600_000);
  expect(deferredDelayMs(1, 1)).toBe(7500);
});

it('retries an unreachable mail server at least every 30 s', () => {
  expect(unreachableDelayMs(1, 0)).toBe(5000);
  expect(unreachableDelayMs(500, 1)).toBe(30_000);
});
