import { METHODS } from 'node:http';
import { describe, expect, test } from 'vitest';
import { call, expectFailure } from '../harness/http.js';
import { request } from '../harness/node-http.js';
import { sendRaw } from '../harness/raw-http.js';
import { routes } from '../harness/route-table.js';
import { sharedSystem } from '../harness/system.js';

// Many requests follow, so this test has no limit on pages.
const system = await sharedSystem();

describe('the envelope', () => {
  test.each(['/api', '/api/', '/api/v1', '/api/v1/nope', '/api/v1/content/a/b', '/api/v2/content', '/api/v1/../x'])(
    'an unknown path %s is not_found',
    async (path) => {
      const answer = await sendRaw(system.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect([answer.status, JSON.parse(answer.body).error]).toEqual([404, 'not_found']);
    },
  );

  test('a slash at the end of a path makes no difference', async () => {
    expect((await call(`${system.url}/api/v1/content/?site=io`)).json).toMatchObject({ ok: true, site: 'io' });
    const refused = await call(`${system.url}/api/v1/contributions/`, { method: 'POST', body: '{' });
    expectFailure(refused, 401, 'missing_token');
  });

  test.each(['text/plain', 'application/json'])('an unknown path is not_found with any body (%s)', async (type) => {
    const init = { method: 'POST', headers: { 'content-type': type }, body: '{"broken' };
    expectFailure(await call(`${system.url}/api/v1/nope`, init), 404, 'not_found');
    expectFailure(await call(`${system.url}/api/v1/content`, init), 405, 'method_not_allowed');
  });

  test('a list response names the query parameters that it ignored, and those that it accepts', async () => {
    const url = `${system.url}/api/v1/content?site=org`;
    const { json, headers } = await call(`${url}&search=sso&limit=1&\u0007${'x'.repeat(90)}=1`);
    expect(Object.keys(json).slice(0, 4)).toEqual(['ok', 'ignored_parameters', 'known_parameters', 'ignored_hint']);
    expect(json).toMatchObject({ ok: true, ignored_parameters: ['search', `?${'x'.repeat(59)}`] });
    expect(json.known_parameters).toEqual(['site', 'cursor', 'limit', 'q', 'tag', 'updated_since', 'fields']);
    expect(json.ignored_hint).toBe(`Without effect: search, ?${'x'.repeat(59)}.`);
    expect((await call(`${system.url}/api/v1/search?q=wombat&lang=x&lim=1&sit=io`)).json.ignored_hint).toBe(
      'Without effect: lang (did you mean language?), lim (did you mean limit?), sit (did you mean site?).',
    );
    const plain = await call(`${url}&limit=1`);
    expect(Object.keys(plain.json)).not.toContain('ignored_parameters');
    expect(headers.get('etag')).not.toBe(plain.headers.get('etag'));
    for (const path of ['curated', 'objects/catalog', 'agent/changelog']) {
      expect((await call(`${system.url}/api/v1/${path}?lang=de`)).json.ignored_parameters).toEqual(['lang']);
    }
  });

  test('a wrong method is 405 method_not_allowed with Allow', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'POST']) {
      const answer = await call(`${system.url}/api/v1/curated`, { method });
      expectFailure(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toMatch(/GET, HEAD/);
    }
  });

  const host = 'HTTP/1.1\r\nHost: x\r\n';
  const get = (target: string, header = '') => `GET ${target} ${host}${header}Connection: close\r\n\r\n`;
  test.each([
    ['a control character in a header', `GET / ${host}X-A: \u0001\r\n\r\n`, 400, 'bad_request'],
    ['no Host', 'GET /api/v1/content HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
    ['a query that is no UTF-8', get('/api/v1/content?q=%ff'), 400, 'bad_request'],
    ['a target over 8 KiB', get(`/api/v1/content?q=${'x'.repeat(8_300)}`), 414, 'uri_too_long'],
    ['a part of a path over 8 KiB', get(`/api/v1/objects/${'x'.repeat(9_000)}`), 414, 'uri_too_long'],
    ['a target over 100 KiB', get(`/${'x'.repeat(100_000)}`), 414, 'uri_too_long'],
  ])('%s gets a matching error', async (_name, bytes, status, error) => {
    const answer = await sendRaw(system.url, bytes);
    expect(answer.status).toBe(status);
    const body = JSON.parse(answer.body);
    expect(body).toEqual({ ok: false, error, message: expect.any(String) });
    expect(answer.head.toLowerCase()).toContain('content-type: application/json');
    expect(answer.head.toLowerCase()).toContain('x-request-id: ');
  });

  test.each(['PROXY TCP4 192.0.2.1 192.0.2.2 4000 80\r\nGET', '\r\n\r\n\0\r\nQUIT\n!\x11\0\f\r\n\r\nGET'])(
    'the PROXY protocol is named, with what to do: %j',
    async (begin) => {
      const { status, body } = await sendRaw(system.url, `${begin} /api/v1/content HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect([status, JSON.parse(body).message]).toEqual([
        400,
        expect.stringMatching(/PROXY protocol.*X-Forwarded-For/),
      ]);
    },
  );

  test('a target with letters that are not encoded says how to encode them', async () => {
    const answer = await sendRaw(system.url, 'GET /api/v1/search?q=Müller HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      error: 'bad_request',
      message: expect.stringContaining('percent-encoded UTF-8'),
    });
  });

  test('a repeated Idempotency-Key header is refused, not joined', async () => {
    const token = await system.issueToken('twice@example.org');
    const body = JSON.stringify({ type: 'inquiry', body: 'Who has seen the same key twice?' });
    const answer = await sendRaw(
      system.url,
      `POST /api/v1/contributions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'validation_error']);
  });

  test('every response has X-Request-Id, the caller’s if well-formed, else a new one', async () => {
    const given = `mine.${Date.now()}_x-1`;
    const idOf = async (path: string, id: string) =>
      (await call(`${system.url}${path}`, { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await idOf('/api/v1/content', given)).toBe(given);
    for (const bad of ['', 'a b', 'x'.repeat(129), 'a/b', '"']) {
      expect(await idOf('/api/v1/nope', bad)).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(await idOf('/api/v1/content/none', 'of-a-read')).toBe('of-a-read');
  });

  test('any web page may read (CORS), with preflight, but without secrets', async () => {
    const origin = 'https://page.example';
    const asks = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-agent-client-id' };
    // A page sees why its read fails only if the request before it, which asks, does not fail.
    for (const [path, status] of [
      ['content', 200],
      ['nothing', 404],
      ['content/%ff', 400],
      ['content?q=%ff', 400],
      [`content?q=${'x'.repeat(9_000)}`, 414],
      [`objects/${'x'.repeat(9_000)}`, 414],
    ] as const) {
      const init = { method: 'OPTIONS', headers: { origin, ...asks } };
      const asked = await call(`${system.url}/api/v1/${path}`, init);
      const failed = await call(`${system.url}/api/v1/${path}`);
      expect([path, asked.status, failed.status]).toEqual([path, 204, status]);
      expect(asked.headers.get('access-control-allow-headers')).toBe('x-agent-client-id');
      for (const { headers } of [asked, failed]) expect(headers.get('access-control-allow-origin')).toBe('*');
    }
    const huge = `GET /api/v1/content HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(100_000)}\r\n\r\n`;
    expect((await sendRaw(system.url, huge)).head).toContain('access-control-allow-origin: *');
    const write = await call(`${system.url}/api/v1/agent/authorize/%ff`);
    expect(write.headers.get('access-control-allow-origin')).toBeNull();
    const read = await call(`${system.url}/api/v1/content`, { headers: { origin } });
    expect(read.headers.get('access-control-allow-origin')).toBe('*');
    expect(read.headers.get('access-control-allow-credentials')).toBeNull();
    expect(read.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('every method of HTTP on every route', () => {
  const samples: Readonly<Record<string, string>> = { slug: 'none', id: '00000000-0000-4000-8000-000000000000' };

  test('gets no 5xx, and API failures use the envelope', async () => {
    const all = new Set((await routes()).map((route) => route.replace(/^\w+ /, '')));
    const paths = [...all].map((path) => path.replace(/:(\w+)/g, (_, name: string) => samples[name] ?? 'x'));
    expect(paths.length).toBeGreaterThan(35);
    expect(METHODS.length).toBeGreaterThan(30);
    for (const [at, path] of [...paths, '/nothing/here', '/api/v1/nothing'].entries()) {
      // On every second path, with and without a body change places.
      await Promise.all(METHODS.map((method, each) => check(method, path, (at + each) % 2 === 0 ? '{}' : undefined)));
    }
  });

  async function check(method: string, path: string, body: string | undefined): Promise<void> {
    const own = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
    const { status, headers, text } = await request(system.url, { method, path, headers: own, body });
    const what = `${method} ${path} ${body}: ${status} ${text}`;
    expect(status, what).toBeLessThan(500);
    expect(headers['x-content-type-options'], what).toBe('nosniff');
    expect(headers['x-request-id'], what).toMatch(/^[\w.-]+$/);
    // The access pages show errors as HTML.
    if (status < 400 || method === 'HEAD' || !path.startsWith('/api/')) return;
    expect(JSON.parse(text), what).toEqual({ ok: false, error: expect.any(String), message: expect.any(String) });
  }
});
