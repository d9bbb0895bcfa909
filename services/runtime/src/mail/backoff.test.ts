import { expect, it } from 'vitest';
import { retryDelayMs } from './outbox.js';

it('grows with the time that a mail is tried, from 5 s to half an hour, with random variation', () => {
  expect([0, 5000, 60_000, 86_400_000].map((tried) => retryDelayMs('deferred', tried, 0))).toEqual([
    5000, 5000, 60_000, 1_800_000,
  ]);
  expect(retryDelayMs('held', 86_400_000, 1)).toBe(2_700_000);
  expect(retryDelayMs('deferred', 0, 1)).toBe(7500);
});

it('tries a mail server that is away at least every 30 s', () => {
  expect(retryDelayMs('unreachable', 0, 0)).toBe(5000);
  expect(retryDelayMs('unreachable', 86_400_000, 1)).toBe(30_000);
});

it('sends nothing twice within ten minutes if it may have arrived', () => {
  expect(retryDelayMs('unknown', 0, 0)).toBe(600_000);
  expect(retryDelayMs('unknown', 86_400_000, 0)).toBe(3_600_000);
});
