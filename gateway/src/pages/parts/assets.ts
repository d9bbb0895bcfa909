import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

/** Serves styles and icon, which browsers may cache for ever, and pictures. */
export function registerAssets(app: FastifyInstance): void {
  const method = ['GET', 'HEAD'];
  for (const { path: url, type, body } of Object.values(assets)) {
    const response = { body, etag: strongEtag(body) };
    const handler = async (request: FastifyRequest, reply: FastifyReply) =>
      sendPublic(request, reply, response, 'public, max-age=31536000, immutable', type);
    app.route({ method, url, handler });
  }
  for (const { path: url, type } of Object.values(pictures)) {
    const headers = { 'content-type': type, 'cache-control': 'public, max-age=86400' };
    const body = readFileSync(require.resolve(`#pictures${url}`));
    app.route({ method, url, handler: async (_request, reply) => reply.headers(headers).send(body) });
  }
}

// As a name of the package, since the bundle of a program stands elsewhere than this file.
const require = createRequire(import.meta.url);

/** The logo as pixels, for browsers, phones and previews that do not support SVG. */
export const pictures = {
  /** Browsers request this path by themselves. */
  favicon: { path: '/favicon.ico', type: 'image/x-icon' },
  touchIcon: { path: '/apple-touch-icon.png', type: 'image/png' },
  /** The size that link previews expect. */
  preview: { path: '/preview.png', type: 'image/png' },
} as const;
