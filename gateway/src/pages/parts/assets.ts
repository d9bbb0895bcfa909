import { crc32, deflateSync } from 'node:zlib';
import { hashedAsset, icon } from '@knowledge/runtime/html';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { strongEtag } from '../../http/etags.js';
import { sendPublic } from '../../http/send-read.js';
import { consentStyle } from '../styles/consent-style.js';
import { docsStyle, listStyle } from '../styles/list-style.js';
import { style, textStyle } from '../styles/style.js';

const assets = {
  style: hashedAsset('style', 'css', 'text/css; charset=utf-8', style + textStyle + listStyle + consentStyle),
  docs: hashedAsset('docs', 'css', 'text/css; charset=utf-8', docsStyle),
  icon: hashedAsset('icon', 'svg', 'image/svg+xml', icon),
};

/** The path of a static file, with a hash of its content. */
export function assetPath(name: keyof typeof assets): string {
  return assets[name].path;
}

/** Serves styles and icon, which browsers may cache for ever, and pictures, which are drawn once. */
export function registerAssets(app: FastifyInstance): void {
  const method = ['GET', 'HEAD'];
  for (const { path: url, type, body } of Object.values(assets)) {
    const response = { body, etag: strongEtag(body) };
    const handler = async (request: FastifyRequest, reply: FastifyReply) =>
      sendPublic(request, reply, response, 'public, max-age=31536000, immutable', type);
    app.route({ method, url, handler });
  }
  for (const { path: url, type, draw } of Object.values(pictures)) {
    const headers = { 'content-type': type, 'cache-control': 'public, max-age=86400' };
    let drawn: Buffer | undefined;
    const handler = async (_request: FastifyRequest, reply: FastifyReply) => {
      drawn ??= draw();
      return reply.headers(headers).send(drawn);
    };
    app.route({ method, url, handler });
  }
}

/** The logo as pixels, for browsers, phones and previews that do not support SVG. */
export const pictures = {
  /** Browsers request this path by themselves. */
  favicon: { path: '/favicon.ico', type: 'image/x-icon', draw: () => ico(png(32, 32)) },
  touchIcon: { path: '/apple-touch-icon.png', type: 'image/png', draw: () => png(180, 180) },
  /** The size that link previews expect. */
  preview: { path: '/preview.png', type: 'image/png', draw: () => png(1200, 630) },
} as const;

const green = [31, 92, 71] as const;
/** The three lines of the logo in a square of 32 by 32. */
const lines: readonly Line[] = [
  [8, 24, 9],
  [8, 24, 16],
  [8, 17, 23],
];
type Line = readonly [left: number, right: number, middle: number];
const halfLine = 1.3;

/** A PNG with the logo in the middle, as high as the picture. Drawing takes milliseconds. */
function png(width: number, height: number): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(green))]);
  const rows = Buffer.alloc(row.length * height, row);
  for (const line of lines) drawLine(rows, line, { width, height });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(rows);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function drawLine(rows: Buffer, [from, to, middle]: Line, { width, height }: { width: number; height: number }) {
  const unit = height / 32;
  const left = (width - height) / 2;
  for (let y = Math.floor((middle - 2) * unit); y < (middle + 2) * unit; y += 1) {
    for (let x = Math.floor((from - 2) * unit); x < (to + 2) * unit; x += 1) {
      const [across, down] = [(x + 0.5) / unit, (y + 0.5) / unit];
      const distance = Math.hypot(across - Math.min(to, Math.max(from, across)), down - middle);
      // The share of the pixel that the line covers, for smooth edges.
      const share = Math.min(1, Math.max(0, (halfLine - distance) * unit + 0.5));
      const at = y * (width * 3 + 1) + 1 + (Math.round(left) + x) * 3;
      for (let channel = 0; channel < 3 && share > 0; channel += 1) {
        const ground = green[channel] ?? 0;
        rows[at + channel] = Math.round(ground + (255 - ground) * share);
      }
    }
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** An icon file that contains one PNG of 32 by 32. */
function ico(image: Buffer): Buffer {
  const head = Buffer.from([0, 0, 1, 0, 1, 0, 32, 32, 0, 0, 1, 0, 24, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
  head.writeUInt32LE(image.length, 14);
  return Buffer.concat([head, image]);
}
