import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { hashedAsset, icon } from '@knowledge/runtime/html';
import type { FastifyInstance } from 'fastify';

const script = 'text/javascript; charset=utf-8';
const htmx = readFileSync(createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js'), 'utf8');

const files = {
  icon: hashedAsset('icon', 'svg', 'image/svg+xml', icon),
  htmx: hashedAsset('htmx', 'js', script, htmx),
};

/** The scripts of `browser/`. They import each other, so one hash of all of them is in the path of each. */
const scripts = readScripts(new URL('../browser/', import.meta.url));

/** The path of a static file, with a hash of its content. */
export function assetPath(name: keyof typeof files | 'script'): string {
  return name === 'script' ? `${scripts.folder}/main.js` : files[name].path;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The path of the stylesheet of all pages. */
    stylePath: string;
  }
}

/**
 * Serves the static files, which browsers may keep for ever. The stylesheet consists of the given styles. Only these files are
 * compressed: the length of a compressed page would tell about the personal data in it (SECURITY.md#web-desk).
 */
export function registerAssets(app: FastifyInstance, styles: readonly string[]): void {
  const style = hashedAsset('desk', 'css', 'text/css; charset=utf-8', styles.join(''));
  app.decorate('stylePath', style.path);
  const own = scripts.files.map(({ name, body }) => ({ path: `${scripts.folder}/${name}`, type: script, body }));
  for (const { path: url, type, body } of [style, ...Object.values(files), ...own]) {
    const zipped = gzipSync(body);
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { anyHost: true },
      handler: async ({ headers }, reply) => {
        reply.headers({ 'content-type': type, vary: 'accept-encoding' });
        reply.header('cache-control', 'public, max-age=31536000, immutable');
        const isZipped = /(?:^|,)\s*gzip\s*(?:,|$)/.test(headers['accept-encoding'] ?? '');
        return isZipped ? reply.header('content-encoding', 'gzip').send(zipped) : reply.send(body);
      },
    });
  }
}

function readScripts(from: URL): { folder: string; files: { name: string; body: Buffer }[] } {
  const names = readdirSync(from).filter((name) => name.endsWith('.js'));
  const read = names.map((name) => ({ name, body: readFileSync(new URL(name, from)) }));
  const hash = createHash('sha256');
  for (const { name, body } of read) hash.update(`${name} ${body.length} `).update(body);
  return { folder: `/assets/browser-${hash.digest('hex').slice(0, 12)}`, files: read };
}
