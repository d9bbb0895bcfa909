import { crc32, inflateSync } from 'node:zlib';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { registerAssets } from './assets.js';

async function served(path: string) {
  const app = fastify();
  registerAssets(app);
  return app.inject(path);
}

it.each([
  ['/apple-touch-icon.png', 180, 180],
  ['/preview.png', 1200, 630],
] as const)('%s is a PNG with the mark', async (path, width, height) => {
  const { headers, rawPayload: image } = await served(path);
  expect(headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' });
  expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([width, height]);
  const size = image.readUInt32BE(33);
  const data = image.subarray(41, 41 + size);
  expect(image.readUInt32BE(41 + size)).toBe(crc32(image.subarray(37, 41 + size)));
  const rows = inflateSync(data);
  const pixel = (x: number, y: number) => [...rows.subarray(y * (width * 3 + 1) + 1 + x * 3).subarray(0, 3)];
  expect(pixel(0, 0)).toEqual([31, 92, 71]);
  expect(pixel(Math.floor(width / 2), Math.floor(height / 2))).toEqual([255, 255, 255]);
});

it('favicon.ico holds a PNG of the size and at the place that it says', async () => {
  const { rawPayload: icon } = await served('/favicon.ico');
  expect(icon.length).toBe(22 + icon.readUInt32LE(14));
  expect(icon.subarray(icon.readUInt32LE(18)).subarray(1, 4).toString()).toBe('PNG');
});
