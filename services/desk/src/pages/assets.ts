import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { baseStyle, controlStyle, frameStyle, hashedAsset, icon } from '@knowledge/runtime/html';
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

/** The style of what all pages of the web desk have, on top of the style that both sites share. */
export const layoutStyle = `${baseStyle}${frameStyle}${controlStyle}
.top, .frame, footer { max-width: 90rem; }
.top form { margin: 0; }
.who { display: flex; align-items: center; justify-self: end; gap: .25rem 1rem; flex-wrap: wrap; }
.who button { min-height: 2rem; padding: .1rem .8rem; border-width: 1px; font-size: .875rem; }
.pages-of { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; padding-block: .5rem 0; font: .9375rem/1.5 var(--sans); }
.pages-of a { display: inline-flex; align-items: center; min-height: 2rem; text-decoration: none; }
.pages-of a[aria-current] { font-weight: 600; text-decoration: underline; text-underline-offset: .3em; }
main { padding-block-start: clamp(1rem, 2vw, 1.6rem); font-family: var(--sans); font-size: 1rem; }
main h1 { font-size: 1.6rem; }
main h2 { font-size: 1.2rem; }
#messages:empty { display: none; }
#messages, .notice { margin: 0 0 1.2rem; padding: .7rem 1rem; border: 1px solid var(--line); border-inline-start: 4px solid var(--accent); background: var(--shade); }
#messages p, .notice p, .notice h2 { margin: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 1rem; padding: 0; list-style: none; }
.cards li { margin: 0; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: 6px; }
.cards p { margin: .3rem 0 0; color: var(--soft); }
.odd { padding: 0 .15em; border-radius: 3px; background: var(--found); color: inherit; font-weight: 600; }
.kept { white-space: pre-wrap; }
td:has(> bdi) { min-width: 7rem; }
td:has(> time) { min-width: 10rem; }
td:has(> a:first-child) { min-width: 14rem; }
td:last-child:has(> a:first-child) { min-width: 6rem; }
td .small { display: block; }
.scroll td:first-child { min-width: 11rem; }
.state { display: inline-block; padding: .05rem .55rem; border: 1px solid var(--edge); border-radius: 1rem; font-size: .875rem; white-space: nowrap; }
.facts { display: grid; gap: .3rem; margin: 0 0 1.2rem; overflow-wrap: anywhere; }
.facts > div { display: grid; grid-template-columns: minmax(6rem, 9rem) minmax(0, 1fr); gap: .8rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }
.text { max-width: var(--measure); font-family: var(--serif); }
.shown { margin-block-end: 1.2rem; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: 6px; }
.shown pre { white-space: pre-wrap; overflow-wrap: anywhere; }
#preview summary { cursor: pointer; font-weight: 600; margin-block: .6rem; }
`;

/** The style of forms. Fields stand in a column (`fields`, or `edit` for long texts) or in rows that select (`filters`). */
export const formsStyle = `
.fields, .edit { display: grid; gap: 1.1rem; margin-block-end: 1.2rem; }
.fields { max-width: 32rem; justify-items: start; }
.field { display: grid; gap: .3rem; align-content: start; width: 100%; margin: 0; }
.field :is(input, select, textarea) { width: 100%; min-width: 0; margin: 0; }
select, textarea { min-height: 2.75rem; max-width: 100%; padding: .4rem .8rem; border: 1px solid var(--edge); border-radius: 6px; background: var(--paper); color: inherit; font: 1rem/1.4 var(--sans); }
textarea { display: block; width: 100%; margin-block: .3rem; resize: vertical; }
.edit { max-width: 60rem; }
.edit textarea { padding-block: .6rem; }
.edit [name=body] { font: .9375rem/1.5 var(--mono); }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); gap: 1.1rem; }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 100%), 1fr)); gap: .5rem .8rem; align-items: end; margin: .5rem 0 1.2rem; }
.filters label { font-size: .8125rem; color: var(--soft); }
.filters .check { align-self: center; }
.check { display: inline-block; }
.check input { min-height: 0; width: 1.2rem; height: 1.2rem; vertical-align: middle; }
fieldset .check { margin-inline-end: 1rem; }
.hint { margin: 0; color: var(--soft); font-size: .875rem; }
.fault { margin: 0; font-weight: 600; color: var(--fault); }
[aria-invalid] { border: 2px solid var(--fault); }
:root { --fault: #9a2f24; }
@media (prefers-color-scheme: dark) { :root { --fault: #f0a39a; } }
.buttons { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; margin: 0 0 1.2rem; padding: 0; list-style: none; }
.buttons li { margin: 0; }
.buttons form { margin: 0; }
.buttons a.button, p a.button { display: inline-block; padding: .45rem 1.1rem; border: 1px solid var(--edge); border-radius: 6px; font-weight: 600; text-decoration: none; }
button[hidden][hidden] { display: none; }
button.main { background: var(--accent); color: var(--paper); }
.inline { display: inline-flex; flex-wrap: wrap; max-width: 100%; gap: .6rem; align-items: center; margin: 0; }
.inline input:not([type=checkbox]) { min-width: 0; max-width: 100%; min-height: 2rem; padding: .1rem .6rem; }
.inline button { min-height: 2rem; padding: .1rem .8rem; border-width: 1px; font-size: .875rem; }
`;
