import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { consentStyle } from '../styles/consent-style.js';
import { docsStyle } from '../styles/docs-style.js';
import { listStyle } from '../styles/list-style.js';
import { style } from '../styles/style.js';
import { textStyle } from '../styles/text-style.js';
import { pictures } from './pictures.js';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5c47"/><path d="M8 9h16M8 16h16M8 23h9" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`;

const assets = {
  style: asset('style', 'css', 'text/css; charset=utf-8', style + textStyle + listStyle + consentStyle),
  docs: asset('docs', 'css', 'text/css; charset=utf-8', docsStyle),
  icon: asset('icon', 'svg', 'image/svg+xml', icon),
};

/** The path of a static file, with a hash of its content. */
export function assetPath(name: keyof typeof assets): string {
  return assets[name].path;
}

/** Serves styles and icon, which browsers may cache for ever, and pictures, which are drawn once. */
export function registerAssets(app: FastifyInstance): void {
  const serve = (url: string, headers: Record<string, string>, body: () => Buffer): void => {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (_request, reply) => reply.headers(headers).send(body()),
    });
  };
  for (const { path, type, body } of Object.values(assets)) {
    serve(path, { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }, () => body);
  }
  for (const { path, type, draw } of Object.values(pictures)) {
    let drawn: Buffer | undefined;
    serve(path, { 'content-type': type, 'cache-control': 'public, max-age=86400' }, () => (drawn ??= draw()));
  }
}

function asset(name: string, extension: string, type: string, text: string) {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/${name}-${hash}.${extension}`, type, body };
}
