import { expect, it } from 'vitest';
import { createBreaker } from './breaker.js';

it('opens after five failures in a row, lets one call try after each pause, and doubles the pause', () => {
  let now = 0;
  const breaker = createBreaker(() => now);
  for (let at = 0; at < 4; at++) breaker.failed();
  breaker.succeeded();
  for (let at = 0; at < 4; at++) breaker.failed();
  expect(breaker.allows()).toBe(true);
  breaker.failed();
  expect(breaker.allows()).toBe(false);
  now += 2000;
  expect([breaker.allows(), breaker.allows()]).toEqual([true, false]);
  breaker.failed();
  now += 3999;
  expect(breaker.allows()).toBe(false);
  now += 1;
  expect(breaker.allows()).toBe(true);
  breaker.succeeded();
  expect([breaker.allows(), breaker.allows()]).toEqual([true, true]);
});

it('never waits for more than a minute', () => {
  let now = 0;
  const breaker = createBreaker(() => now);
  for (let at = 0; at < 50; at++) breaker.failed();
  now += 60_000;
  expect(breaker.allows()).toBe(true);
});
