import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownFolder } from '@knowledge/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archiveArticle, putArticle } from '../harness/articles.js';
import { freePort } from '../harness/free-port.js';
import { freshReader } from '../harness/http.js';
import { type ManagedProcess, startProcess } from '../harness/managed-process.js';
import { request } from '../harness/node-http.js';
import { ownSystem } from '../harness/own.js';
import { until } from '../harness/until.js';

const folder = fileURLToPath(new URL('../../deploy/proxies', import.meta.url));
const org = 'org.localhost';
let next = 0;

const sites = { PUBLIC_URL_IO: 'http://io.localhost', PUBLIC_URL_ORG: `http://${org}` };
const system = await ownSystem({ env: { ...sites, TRUSTED_PROXIES: '127.0.0.1' } });
await publish();

interface Product {
  readonly program: string;
  readonly file: string;
  /** Caddy as Debian has it has no cache. */
  readonly hasCache: boolean;
  readonly args: (config: string, state: string) => string[];
}

const products: readonly Product[] = [
  {
    program: 'nginx',
    file: 'nginx.conf',
    hasCache: true,
    args: (config, state) =>
      ['-p', state, '-c', config].concat('-g', `daemon off; user root; pid ${state}/pid; error_log stderr;`),
  },
  {
    program: 'varnishd',
    file: 'varnish.vcl',
    hasCache: true,
    args: (config, state) => ['-F', '-j', 'none', '-n', `${state}/varnish`, '-s', 'malloc,64m', '-f', config, '-a'],
  },
  { program: 'apache2', file: 'apache.conf', hasCache: true, args: (config) => ['-D', 'FOREGROUND', '-f', config] },
  { program: 'haproxy', file: 'haproxy.cfg', hasCache: true, args: (config) => ['-db', '-f', config] },
  {
    program: 'caddy',
    file: 'Caddyfile',
    hasCache: false,
    args: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
  },
];

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((path) => existsSync(join(path, program)));
}

// On a desk a product that is not installed is left out, and the report says so.
describe.each(products)('$program in front of the gateway', ({ program, file, hasCache, args }) => {
  const isLeftOut = process.env['CI'] === undefined && !isInstalled(program);
  const state = ownFolder();
  let proxy: ManagedProcess | undefined;
  let port = 0;

  beforeAll(async () => {
    if (isLeftOut) return;
    port = await freePort();
    const config = join(state, file);
    const text = readFileSync(join(folder, file), 'utf8');
    const own = text.replaceAll('8080', new URL(system.url).port).replaceAll('8088', String(port));
    writeFileSync(config, own.replace('/var/cache/nginx/knowledge', `${state}/cache`));
    chmodSync(state, 0o777);
    proxy = await startProcess({
      name: program,
      command: [program, ...args(config, state), ...(program === 'varnishd' ? [`:${port}`] : [])],
      env: { MODULES: '/usr/lib/apache2/modules', STATE: state, HOME: state },
      ready: async () =>
        void (await until(`${program} to serve`, async () => (await ask('/healthz')).status === 200, 20_000)),
    });
  });
  afterAll(() => proxy?.close());

  const ask = (path: string, { headers = {}, ...more }: Parameters<typeof request>[1] & { headers?: object } = {}) =>
    request(`http://127.0.0.1:${port}`, {
      path,
      localAddress: '127.0.0.1',
      headers: { host: org, ...headers },
      ...more,
    });

  test.skipIf(isLeftOut)('the sites stay apart, in the cache too', async () => {
    for (const host of [org, 'io.localhost', org, 'io.localhost']) {
      const { status, text } = await ask('/api/v1/content', { headers: { host } });
      expect([status, JSON.parse(text).site]).toEqual([200, host.split('.')[0]]);
    }
    const forged = await ask('/api/v1/curated', { headers: { 'x-forwarded-host': 'io.localhost' } });
    expect(JSON.parse(forged.text).site).toBe('org');
    expect((await ask('/api/v1/content', { headers: { host: 'elsewhere.example' } })).status).toBe(421);
    if (hasCache) expect((await ask('/api/v1/content')).headers['x-cache']).toMatch(/^HIT/);
  });

  test.skipIf(isLeftOut)(
    'each read of an article counts, HEAD and 304 are free, and nobody gets the read of another',
    async () => {
      const slug = await publish();
      for (const path of [`/api/v1/content/${slug}`, `/articles/${slug}`]) {
        const headers = freshReader();
        const left: unknown[] = [];
        let etag = '';
        for (const more of [{}, {}, { method: 'HEAD' }, { headers: {} }]) {
          const isSame = 'headers' in more;
          const answer = await ask(path, {
            ...more,
            headers: { ...headers, 'accept-encoding': 'gzip', ...(isSame && { 'if-none-match': etag }) },
          });
          etag = answer.headers.etag ?? etag;
          left.push([answer.status, answer.headers['x-ratelimit-remaining']]);
          if ('method' in more) expect(answer.text).toBe('');
        }
        expect(left).toEqual([
          [200, '2'],
          [200, '1'],
          [200, undefined],
          [304, undefined],
        ]);
        expect((await ask(path, { headers })).headers['x-ratelimit-remaining']).toBe('0');
        expect((await ask(path, { headers })).status).toBe(429);
      }
    },
  );

  test.skipIf(isLeftOut)('a client counts by its own address, whatever it sends in X-Forwarded-For', async () => {
    const slug = await publish();
    const read = (from: string) =>
      ask(`/api/v1/content/${slug}`, { localAddress: from, headers: { 'x-forwarded-for': `10.0.0.${++next % 250}` } });
    const from = `127.9.${products.findIndex((each) => each.program === program)}.1`;
    const statuses = [];
    for (let at = 0; at < 4; at += 1) statuses.push((await read(from)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await read(from.replace(/1$/, '2'))).status).toBe(200);
  });

  test.skipIf(isLeftOut)('a withdrawn article and its outline are gone at once', async () => {
    const slug = await publish();
    const outline = `/api/v1/content/${slug}/outline`;
    for (let at = 0; at < 2; at += 1) expect((await ask(outline)).status).toBe(200);
    await archiveArticle(system, slug);
    const isGone = async () => (await fetch(`${system.url}${outline}?site=org`)).status === 404;
    await until('the gateway to know', isGone, 1_000);
    for (const path of [outline, `/api/v1/content/${slug}`, `/articles/${slug}`])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
  });

  test.skipIf(isLeftOut)('a refusal that comes before the body has ended reaches the client', async () => {
    const body = Buffer.from(JSON.stringify({ type: 'inquiry', body: 'x'.repeat(60_000) }));
    const headers = { authorization: 'Bearer bad', 'content-type': 'application/json', 'content-length': body.length };
    const statuses: unknown[] = [];
    for (let at = 0; at < 40; at += 1)
      statuses.push((await ask('/api/v1/contributions', { method: 'POST', headers, body })).status);
    expect(statuses).toEqual(statuses.map(() => 401));
  });

  test.skipIf(isLeftOut)('a compressed list is not sent again to who has it', async () => {
    const first = await ask('/api/v1/content?limit=3', { headers: { 'accept-encoding': 'gzip' } });
    expect([first.status, first.headers['content-encoding']]).toEqual([200, 'gzip']);
    const headers = { 'accept-encoding': 'gzip', 'if-none-match': first.headers.etag };
    expect((await ask('/api/v1/content?limit=3', { headers })).status).toBe(304);
  });

  test.skipIf(isLeftOut)('a list that others took compressed is plain for who asks for no compression', async () => {
    for (const encoding of ['br', 'gzip']) {
      await ask('/api/v1/content?limit=4', { headers: { 'accept-encoding': encoding } });
      const plain = await ask('/api/v1/content?limit=4');
      expect([encoding, plain.headers['content-encoding']]).toEqual([encoding, undefined]);
    }
  });
});

/** Publishes an article on org with a body that proxies find worth compressing; returns its slug. */
async function publish(): Promise<string> {
  const slug = `behind-a-proxy-${++next}`;
  await putArticle(system, { slug, body: `## One\n\n${'word '.repeat(600)}` });
  return slug;
}
