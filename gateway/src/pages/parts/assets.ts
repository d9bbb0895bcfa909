import { hashedAsset, icon } from '@knowledge/runtime/html';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { strongEtag } from '../../http/etags.js';
import { sendPublic } from '../../http/send-read.js';
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
