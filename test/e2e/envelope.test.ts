import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, expectFailure, freshReader } from '../harness/http.js';
import { sendRaw } from '../harness/raw-http.js';
import { type System, startSystem } from '../harness/system.js';

let system: System;

beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system?.close());

const listings = [
  '/api/v1/content',
  '/api/v1/curated',
  '/api/v1/objects/catalog',
  '/api/v1/capabilities',
  '/api/v1/agent/changelog',
];

describe('protocol.md 2, the envelope', () => {
  test.each([
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/nope',
    '/api/v1/content/',
    '/api/v1/content/a/b',
    '/api/v2/content',
    '/api/v1/../x',
  ])('an unknown path %s is not_found', async (path) => {
    const answer = await sendRaw(system.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([404, 'not_found']);
  });

  test.each(listings)('a wrong method on %s is 405 method_not_allowed with Allow', async (path) => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'POST']) {
      const answer = await call(`${system.url}${path}`, { method });
      expectFailure(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toMatch(/GET, HEAD/);
    }
  });

  test.each(['TRACE', 'PROPFIND', 'CONNECT x:1', 'LOCK'])('%s is 405 or 400 in the envelope', async (method) => {
    const target = method.includes(' ') ? method : `${method} /api/v1/content`;
    const { status, body } = await sendRaw(system.url, `${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect([400, 405]).toContain(status);
    expect(JSON.parse(body)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^(bad_request|method_not_allowed)$/),
    });
  });

  test.each([
    ['no HTTP at all', 'hello there\r\n\r\n', 400, 'bad_request'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: x\r\nBroken Header: 1\r\n\r\n', 400, 'bad_request'],
    ['a control character in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: \u0001\r\n\r\n', 400, 'bad_request'],
    ['no Host', 'GET /api/v1/content HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
    [
      'two lengths',
      'POST /api/v1/content HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
      'bad_request',
    ],
    [
      'length and chunks',
      'POST /api/v1/content HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      'a path that is no UTF-8',
      'GET /api/v1/content/%ff%fe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      'a lone percent sign',
      'GET /api/v1/content/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      'a query that is no UTF-8',
      'GET /api/v1/content?q=%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      'a target over 8 KiB',
      `GET /api/v1/content?q=${'x'.repeat(8_300)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      414,
      'uri_too_long',
    ],
    [
      'a target over 100 KiB',
      `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      414,
      'uri_too_long',
    ],
    [
      'headers over 16 KiB',
      `GET /api/v1/content HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(17_000)}\r\nConnection: close\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'headers over 100 KiB',
      `GET /api/v1/content HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(100_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ])('%s is told so', async (_name, bytes, status, error) => {
    const answer = await sendRaw(system.url, bytes);
    expect(answer.status).toBe(status);
    const body = JSON.parse(answer.body);
    expect(body).toEqual({ ok: false, error, message: expect.any(String) });
    expect(answer.head.toLowerCase()).toContain('content-type: application/json');
    expect(answer.head.toLowerCase()).toContain('x-request-id: ');
  });

  test('headers that do not end in 8 s are 408 request_timeout', async () => {
    const answer = await sendRaw(system.url, 'GET /api/v1/content HTTP/1.1\r\nHost: x\r\nX-Slow: ', 14_000);
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([408, 'request_timeout']);
  });

  test('every answer carries X-Request-Id: the caller’s if well-formed, else a new one, and the same is in the logs', async () => {
    const given = `mine.${Date.now()}_x-1`;
    expect(
      (await call(`${system.url}/api/v1/content`, { headers: { 'x-request-id': given } })).headers.get('x-request-id'),
    ).toBe(given);
    for (const bad of ['', 'a b', 'x'.repeat(129), 'a/b', '"']) {
      const { headers } = await call(`${system.url}/api/v1/nope`, { headers: { 'x-request-id': bad } });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
    const read = await call(`${system.url}/api/v1/content/none`, {
      headers: { ...freshReader(), 'x-request-id': 'find-me-in-the-log' },
    });
    expect(read.headers.get('x-request-id')).toBe('find-me-in-the-log');
  });

  test('reads may be made from any page (CORS), preflight included; secrets are not part of it', async () => {
    const preflight = await call(`${system.url}/api/v1/content`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-agent-client-id',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-agent-client-id');
    const read = await call(`${system.url}/api/v1/content`, { headers: { origin: 'https://page.example' } });
    expect(read.headers.get('access-control-allow-origin')).toBe('*');
    expect(read.headers.get('access-control-allow-credentials')).toBeNull();
    expect(read.headers.get('x-content-type-options')).toBe('nosniff');
  });
});
