import { expect, it } from 'vitest';
import { minuteElement, retryTimeElement } from './elements.js';

const now = Date.parse('2026-11-21T07:00:00Z');

it.each([
  ['2026-11-21T06:59:40Z', ' (just now)'],
  ['2026-11-21T06:59:00Z', ' (1 minute ago)'],
  ['2026-11-21T06:48:00Z', ' (12 minutes ago)'],
  ['2026-11-21T05:00:00Z', ' (2 hours ago)'],
  ['2026-11-20T06:00:00Z', ' (1 day ago)'],
  ['2026-11-01T06:00:00Z', ''],
  ['2027-05-20T06:00:00Z', ''],
])('says of %s how long ago it was', (time, words) => {
  expect(minuteElement(new Date(time), now).markup.split('</time>')[1]).toBe(words);
});

it.each([
  [20, '07:01', '1 minute'],
  [1440, '07:24', '24 minutes'],
  [1441, '07:24', '25 minutes'],
  [7200, '09:00', 'about 2 hours'],
  [61_205, '00:00', 'about 17 hours'],
])('says of %s seconds when something works again', (seconds, time, wait) => {
  expect(retryTimeElement(seconds, now).markup).toMatch(new RegExp(`>${time} UTC</time> \\(in ${wait}\\)$`));
});
