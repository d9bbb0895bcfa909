import { hashedAsset, icon } from '@knowledge/runtime/html';
import type { FastifyInstance } from 'fastify';
import { consentStyle } from '../styles/consent-style.js';
import { docsStyle } from '../styles/docs-style.js';
import { listStyle } from '../styles/list-style.js';
import { style } from '../styles/style.js';
import { textStyle } from '../styles/text-style.js';
import { pictures } from './pictures.js';

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
