import fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, freshReader } from '../harness/http.js';
import { request } from '../harness/node-http.js';
import { seedReading } from '../harness/reading.js';
import { sharedSystem } from '../harness/system.js';

const system = await sharedSystem();
await seedReading(system);

const hostile = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '%', '%00', '%ff', '%c0%ae', '%0d%0aSet-Cookie:a=b', '..%2f..%2f', '{"$ne":null}', '[$ne]=1'],
    ...['__proto__', 'constructor', '$where', '-1', '0', '1e9', '99999999999999999999', 'NaN', 'true', 'null'],
    ...['undefined', '\u202e', '<script>', "' or 1=1", '%F0%9F%98%80', 'a'.repeat(300), 'a'.repeat(4_000)],
    ...['2026-02-30T00:00:00Z'],
    'eyJ2IjoxfQ',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression that a template engine would run.
    '${7*7}',
    '{{7*7}}',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => {
    try {
      return encodeURIComponent(text);
    } catch {
      return '%ed%a0%80';
    }
  }),
);
const parameter = fc.tuple(
  fc.constantFrom('site', 'cursor', 'limit', 'q', 'tag', 'updated_since', 'kind', 'site[]', 'x'),
  hostile,
);
const path = fc.oneof(
  fc.constantFrom(
    '/api/v1/content',
    '/api/v1/curated',
    '/api/v1/objects/catalog',
    '/api/v1/capabilities',
    '/api/v1/prompts/active',
    '/api/v1/agent/changelog',
    '/api/v1/agent/quota',
  ),
  hostile.map((part) => `/api/v1/content/${part}`),
  hostile.map((part) => `/api/v1/objects/${part}`),
  hostile.map((part) => `/api/${part}`),
);
const header = fc.tuple(
  fc.constantFrom(
    ...['x-agent-client-id', 'authorization', 'if-none-match', 'accept', 'x-request-id', 'host', 'x-forwarded-for'],
    'content-type',
  ),
  fc
    .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 200 })
    .map((text) => text.replaceAll('\u007f', '').trim()),
);

/** Encodes only what `node:http` would not send. */
const sendable = (text: string): string => text.replace(/[^\x21-\x7e]/g, encodeURIComponent);
const queryOf = (parameters: readonly (readonly [name: string, value: string])[]): string =>
  parameters.map(([name, value]) => `${encodeURIComponent(name)}=${sendable(value)}`).join('&');

test('any query, header and path gets a response in the envelope, never a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'),
      path,
      fc.array(parameter, { maxLength: 4 }),
      fc.array(header, { maxLength: 4 }),
      async (method, base, parameters, headers) => {
        const query = queryOf(parameters);
        const target = sendable(base) + (query === '' ? '' : `?${query}`);
        const sent = { method, path: target, headers: { ...Object.fromEntries(headers), connection: 'close' } };
        const answer = await request(system.url, sent);
        expect(answer.status).toBeGreaterThanOrEqual(200);
        expect(answer.status).toBeLessThan(500);
        if (method !== 'HEAD' && answer.status >= 400) {
          const body = JSON.parse(answer.text);
          expect(Object.keys(body).filter((key) => !['ok', 'error', 'message'].includes(key))).toEqual([]);
          expect(body.ok).toBe(false);
        }
      },
    ),
    { numRuns: 600 },
  );
});

test('no failing read of any shape costs quota', async () => {
  const reader = freshReader();
  await fc.assert(
    fc.asyncProperty(hostile, fc.array(parameter, { maxLength: 2 }), async (slug, parameters) => {
      const target = `/api/v1/content/no-${sendable(slug)}?${queryOf(parameters)}`;
      await request(system.url, { path: target, headers: { ...reader, connection: 'close' } });
    }),
    { numRuns: 200 },
  );
  expect((await call(`${system.url}/api/v1/agent/quota`, { headers: reader })).json.quota.remaining).toBe(3);
  expect((await call(`${system.url}/api/v1/content/field-note-1?site=org`, { headers: reader })).status).toBe(200);
});

test('twelve clients with hostile headers do not disturb twelve honest ones', async () => {
  const trace = `${'a'.repeat(32)}-${'b'.repeat(16)}`;
  const long = 'x'.repeat(375);
  const attacks: Record<string, string>[] = [
    { traceparent: `01-${trace}-00-\xe9` },
    { traceparent: `01-${trace}-01-\xe9` },
    { traceparent: `cc-${trace}-01-${long}` },
    { traceparent: `00-${trace}-01`, tracestate: '\xff=\xfe' },
    { 'x-request-id': '\xe9' },
    { 'x-request-id': 'a b' },
    { 'x-agent-client-id': '\xff' },
    { 'x-agent-client-id': '\u00f0\u009f\u0098\u0080' },
    { authorization: 'Bearer \xe9' },
    { authorization: `Bearer cks_${long}`, traceparent: `01-${trace}-00-\xe9` },
    { 'x-actor': '\xe9', 'x-forwarded-for': '\xe9' },
    { baggage: '\xe9', 'grpc-timeout': '1n', 'idempotency-key': '\xe9' },
  ];
  const paths = ['/api/v1/content/field-note-1', '/api/v1/content', '/api/v1/agent/quota', '/articles/field-note-1'];
  let over = false;
  const attack = async (headers: Record<string, string>, at: number): Promise<number[]> => {
    const seen: number[] = [];
    for (let turn = at; !over; turn += 1) {
      const path = `${paths[turn % 2 === 0 ? 0 : turn % paths.length]}?site=org`;
      seen.push((await request(system.url, { path, headers: { ...freshReader(), ...headers } })).status);
    }
    return seen;
  };
  const attackers = attacks.map(attack);
  const honest = Array.from({ length: 12 }, async () => {
    for (let turn = 0; turn < 15; turn += 1) {
      const path = '/api/v1/content/field-note-1?site=org';
      expect(await request(system.url, { path, headers: freshReader() })).toMatchObject({ status: 200 });
    }
  });
  await Promise.all(honest).finally(() => {
    over = true;
  });
  const statuses = (await Promise.all(attackers)).flat();
  expect(statuses.length).toBeGreaterThan(24);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
});
