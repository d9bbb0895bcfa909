import { expect, it } from 'vitest';
import { acceptedCodings } from './accepted-codings.js';

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br', 'br gzip identity'],
  ['gzip, deflate', 'gzip identity'],
  ['GZIP', 'gzip identity'],
  ['br;q=0.5, gzip', 'gzip br identity'],
  ['identity, gzip;q=0.5', 'identity gzip'],
  ['gzip;q=0', 'identity'],
  ['br;q=0, *;q=0.5', 'gzip identity'],
  ['*', 'br gzip identity'],
  ['identity;q=0, *', 'br gzip'],
  // None of ours is left, so the header decides nothing.
  ['identity;q=0', 'identity'],
  ['*;q=0', 'identity'],
  ['zstd', 'identity'],
  ['br;q=much', 'identity'],
  [`${','.repeat(16_000)}br`, 'identity'],
])('Accept-Encoding: %s takes %s', (header, codings) => {
  expect(acceptedCodings(header).join(' ')).toBe(codings);
});
