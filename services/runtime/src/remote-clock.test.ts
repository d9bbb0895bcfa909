import { expect, it } from 'vitest';
import { RemoteClock } from './deadline.js';

it('converts a deadline to another clock: never early, and late by at most the fastest round trip', () => {
  const clock = new RemoteClock();
  expect(clock.at(1_000)).toBeUndefined();
  // The request was sent at 500. The response came 30 ms later, and its clock is 10,000 ms ahead.
  clock.learn(new Date(10_525), 500, 530);
  expect(clock.at(1_000)?.getTime()).toBe(11_025);
  clock.learn(new Date(10_602), 600, 605);
  expect(clock.at(1_000)?.getTime()).toBe(11_002);
  // A delayed response is less exact, so it changes nothing.
  clock.learn(new Date(10_702), 700, 2_500);
  expect(clock.at(1_000)?.getTime()).toBe(11_002);
});

it('starts again when the other clock was changed', () => {
  const clock = new RemoteClock();
  clock.learn(new Date(10_001), 0, 2);
  clock.learn(new Date(70_101), 100, 102);
  expect(clock.at(1_000)?.getTime()).toBe(71_001);
  clock.learn(new Date(201), 200, 202);
  expect(clock.at(1_000)?.getTime()).toBe(1_001);
});
