import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { acceptedCodings, createCompressor } from './compressor.js';

const text = (length: number): Buffer => Buffer.from('How did others roll out single sign-on? '.repeat(length / 40));

describe('a compressor', () => {
  it.each([
    [4_000, 'most'],
    [400_000, 'most'],
    [4_000, 'little'],
  ] as const)('compresses %i bytes with %s effort', async (length, effort) => {
    const compressor = createCompressor();
    const body = text(length);
    const made = await Promise.all([
      compressor.compress(body, 'br', effort),
      compressor.compress(body, 'gzip', effort),
    ]);
    const [br = Buffer.alloc(0), gzip = Buffer.alloc(0)] = made;
    expect([brotliDecompressSync(br).equals(body), gunzipSync(gzip).equals(body)]).toEqual([true, true]);
  });

  it('lets no more bytes wait than its bound, of each effort, and has room again later', async () => {
    const compressor = createCompressor({ maxWaitingBytes: 10_000 });
    const add = (effort: 'most' | 'little') => compressor.compress(text(4_000), 'br', effort);
    const waiting = [add('most'), add('most')];
    expect(add('most')).toBeUndefined();
    expect(add('little')).toBeDefined();
    await Promise.all(waiting);
    expect(add('most')).toBeDefined();
  });

  it('takes nothing while it has worked too much', async () => {
    const compressor = createCompressor({ burstMs: 0, share: 1e-9 });
    await compressor.compress(text(4_000), 'br', 'most');
    expect(compressor.compress(text(4_000), 'br', 'little')).toBeUndefined();
  });
});

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
