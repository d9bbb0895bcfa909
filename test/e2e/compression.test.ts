import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { describe, expect, test } from 'vitest';
import { askForAccess, confirmationMail, confirmUrl, freshEmail } from '../harness/agent.js';
import { putArticle } from '../harness/articles.js';
import { call, freshReader } from '../harness/http.js';
import { type NodeResponse, request } from '../harness/node-http.js';
import { seedReading } from '../harness/reading.js';
import { sharedSystem } from '../harness/system.js';
import { until } from '../harness/until.js';

const system = await sharedSystem();
const { objectId } = await seedReading(system);
const summary = 'How four plants moved to single sign-on in nine weeks, and what the night shift taught us. '.repeat(3);
for (let at = 0; at < 20; at += 1) {
  await putArticle(system, { slug: `moved-${at}`, title: `Plant ${at}`, summary });
}

const raw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  request(`${system.url}${path}`, { headers, method });

function styleIn(page: Buffer): string {
  return /"([^"]*\/assets\/style[^"]*)"/.exec(page.toString())?.[1] ?? '';
}

const codings = [
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const;

const compressible = [
  '/api/v1/content?site=org',
  '/api/v1/content?site=org&limit=5',
  ...['/api/v1/content?site=org&fields=brief', '/api/v1/content', '/api/v1/curated?site=org'],
  ...['/api/v1/search?site=org&q=plants', '/api/v1/content?site=org&q=plants', '/api/v1/capabilities'],
  ...['/api/v1/openapi.json', '/api/v1/agent/changelog', '/api/agent', '/llms.txt', '/for-agents', '/docs'],
  ...['/about', '/privacy', '/', '/articles', '/articles/field-note-1', '/feed.xml', '/sitemap.xml'],
  ...['the style of the pages'],
];

describe.each(codings)('%s', (coding, decode) => {
  test.each(compressible)('%s is the plain response, compressed, from the first request on', async (named) => {
    const sent = { 'accept-encoding': coding };
    const path = named.startsWith('/') ? named : styleIn((await raw('/')).body);
    const first = await raw(path, sent);
    const plain = await raw(path);
    expect([plain.headers['content-encoding'], plain.headers['content-length']]).toEqual([
      undefined,
      `${plain.body.length}`,
    ]);
    expect(decode(first.body).equals(plain.body)).toBe(true);
    expect(first.body.length).toBeLessThan(plain.body.length * 0.6);
    const own = { 'content-encoding': coding, 'content-length': `${first.body.length}` };
    const etag = `"${plain.headers.etag?.slice(1, -1)}-${coding}"`;
    expect(facts(first)).toEqual({ ...facts(plain), ...own, etag });
    expect(plain.headers.vary).toMatch(/(^|, )Accept-Encoding$/);
    // The second of these is answered by the fast path, if it is a listing.
    for (let at = 0; at < 2; at += 1) {
      const again = await raw(path, sent);
      expect([again.status, facts(again), again.body.equals(first.body)]).toEqual([200, facts(first), true]);
    }
    const head = await raw(path, sent, 'HEAD');
    expect([head.status, facts(head), head.body.length]).toEqual([200, facts(first), 0]);
  });
});

const facts = ({ headers }: NodeResponse) => {
  const { date, 'x-request-id': id, ...others } = headers;
  return others;
};

test('If-None-Match may name each form that the caller takes', async () => {
  const path = '/api/v1/content?site=org';
  const etag = String((await raw(path)).headers.etag);
  const of = (coding: string) => `"${etag.slice(1, -1)}-${coding}"`;
  const conditional = async (accepted: string, held: string) => {
    const { status, headers, body } = await raw(path, { 'accept-encoding': accepted, 'if-none-match': held });
    expect(headers.vary).toBe('Accept-Encoding');
    return status === 304 ? [status, headers.etag, body.length] : [status, headers.etag];
  };
  // First from Fastify, then from the fast path.
  for (let at = 0; at < 2; at += 1) {
    expect(await conditional('gzip, br', of('br'))).toEqual([304, of('br'), 0]);
    expect(await conditional('gzip, br', `"x", W/${of('gzip')}`)).toEqual([304, of('gzip'), 0]);
    expect(await conditional('gzip, br', etag)).toEqual([304, etag, 0]);
    expect(await conditional('gzip', of('br'))).toEqual([200, of('gzip')]);
    expect(await conditional('identity', of('br'))).toEqual([200, etag]);
    expect((await raw(path, { 'if-none-match': of('br') })).status).toBe(304);
  }
});

describe('real clients', () => {
  test('curl and fetch get the same text as without compression', async () => {
    const path = '/api/v1/content?site=org';
    const url = `${system.url}${path}`;
    const plain = (await raw(path)).body.toString();
    const { stdout } = await promisify(execFile)('curl', ['-sS', '--compressed', url]);
    expect(stdout).toBe(plain);
    const fetched = await call(url);
    expect([fetched.text, fetched.headers.get('content-encoding')]).toEqual([plain, expect.stringMatching(/br|gzip/)]);
    const etag = fetched.headers.get('etag') ?? '';
    expect((await call(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test.each(['', 'identity', 'zstd', '*;q=0', 'gzip;q=0', `${'br;q=0.1,'.repeat(1_000)}br`])(
    'a client that accepts %j gets the plain response',
    async (accepted) => {
      const { status, headers } = await raw('/api/v1/content?site=org', { 'accept-encoding': accepted });
      expect([status, headers['content-encoding']]).toEqual([200, undefined]);
    },
  );
});

test('a change shows at once in every form', async () => {
  const path = '/api/v1/content?site=org&limit=200';
  const count = async (coding: 'br' | 'gzip') => {
    const { body } = await raw(path, { 'accept-encoding': coding });
    return JSON.parse((coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)).toString()).total as number;
  };
  const before = await count('br');
  expect(await count('gzip')).toBe(before);
  await putArticle(system, { slug: 'newest', site: Site.ORG });
  for (const coding of ['br', 'gzip'] as const) {
    await until(`it to be listed with ${coding}`, async () => (await count(coding)) === before + 1, 1_000);
  }
});

test('what belongs to one caller is never compressed', async () => {
  const email = freshEmail();
  const { deviceCode } = await askForAccess(system, email);
  const confirm = new URL(confirmUrl(system, await confirmationMail(system, email)));
  const all = { 'accept-encoding': 'br, gzip', ...freshReader() };
  const token = await system.issueToken(email);
  expect(deviceCode).toBeDefined();
  for (const [path, headers] of [
    ['/api/v1/content/field-note-1?site=org', all],
    ['/api/v1/content/field-note-1?site=org&max_tokens=200', all],
    ['/articles/field-note-1', all],
    ['/articles/field-note-1', { ...all, accept: 'text/markdown' }],
    [`/api/v1/objects/${objectId}`, all],
    ['/api/v1/content?site=org&unknown=1', all],
    ['/api/v1/agent/quota', all],
    ['/api/v1/agent/token', { ...all, authorization: `Bearer ${token}` }],
    ['/api/v1/contributions', { ...all, authorization: `Bearer ${token}` }],
    [`${confirm.pathname}${confirm.search}`, { ...all, accept: 'text/html' }],
    ['/access', { ...all, accept: 'text/html' }],
    ['/nowhere', { ...all, accept: 'text/html' }],
  ] as const) {
    const shown = await raw(path, headers);
    expect([path, shown.headers['content-encoding']]).toEqual([path, undefined]);
  }
});
