import { expect, it } from 'vitest';
import { RemoteClock } from './remote-clock.js';

it('tells a deadline by another clock: late by at most the time of the fastest answer, never early', () => {
  const clock = new RemoteClock();
  expect(clock.at(1_000)).toBeUndefined();
  // Asked at 500 and answered 30 ms later by a clock that is 10,000 ahead.
  clock.learn(new Date(10_525), 500, 530);
  expect(clock.at(1_000)?.getTime()).toBe(11_025);
  clock.learn(new Date(10_602), 600, 605);
  expect(clock.at(1_000)?.getTime()).toBe(11_002);
  // An answer that was held up says less, and changes nothing.
  clock.learn(new Date(10_702), 700, 2_500);
  expect(clock.at(1_000)?.getTime()).toBe(11_002);
});

it('follows a clock that was set', () => {
  const clock = new RemoteClock();
  clock.learn(new Date(10_001), 0, 2);
  clock.learn(new Date(70_101), 100, 102);
  expect(clock.at(1_000)?.getTime()).toBe(71_001);
  clock.learn(new Date(201), 200, 202);
  expect(clock.at(1_000)?.getTime()).toBe(1_001);
});
