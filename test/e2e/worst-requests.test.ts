import { readFileSync } from 'node:fs';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { consent } from '../harness/agent.js';
import { call, freshReader } from '../harness/http.js';
import { ownSystem, ownWebDesk } from '../harness/own.js';
import { until } from '../harness/until.js';
import { csrfOf } from '../harness/web-desk.js';

/** Where the heap of each process is shipped. */
const shipped = {
  gateway: 'base/gateway.yaml',
  content: 'base/content-memory.yaml',
  quota: 'base/grpc-server.yaml',
  identity: 'base/grpc-server.yaml',
  contributions: 'base/grpc-server.yaml',
  desk: 'components/desk/web-desk/web-desk.yaml',
};
const heapOf = (file: string) => {
  const text = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');
  return { NODE_OPTIONS: /--max-old-space-size=\d+/.exec(text)?.[0] ?? 'none' };
};
const envOf = Object.fromEntries(Object.entries(shipped).map(([name, file]) => [name, heapOf(file)]));
const system = await ownSystem({ envOf });
const desk = await ownWebDesk(system, envOf['desk']);
const token = (await consent(system)).token;

/** Sends each request several times at once, until one is not refused as too much. Returns the other statuses. */
async function answers(several: number, requests: Readonly<Record<string, () => Promise<{ status: number }>>>) {
  const answered: Record<string, number[]> = {};
  for (const [name, send] of Object.entries(requests)) {
    answered[name] = await until(`an answer to ${name}`, async () => {
      const all = await Promise.all(Array.from({ length: several }, send));
      const statuses = new Set(all.map(({ status: each }) => each).filter((each) => each !== 503));
      return statuses.size > 0 && [...statuses];
    });
  }
  return answered;
}

test('the gateway lives on after the worst bodies, forms, headers and addresses that it lets in', async () => {
  const bytes = 128 * 1024;
  const bodies = {
    nesting: `${'['.repeat(bytes / 2 - 1)}${']'.repeat(bytes / 2 - 1)}`,
    objects: `${'{"a":'.repeat(bytes / 8)}1${'}'.repeat(bytes / 8)}`,
    keys: `{${Array.from({ length: bytes / 12 }, (_, at) => `"${at.toString(36).padStart(4, '0')}":0`).join()}}`,
    items: `{"scopes":[${'{},'.repeat(bytes / 3 - 10)}0]}`,
    escapes: `{"body":"${'\\u0000'.repeat(bytes / 6 - 5)}"}`,
  };
  const post = (path: string, body: string, type = 'application/json') =>
    call(system.url + path, {
      method: 'POST',
      body,
      headers: { 'content-type': type, authorization: `Bearer ${token}` },
    });
  const requests: Record<string, () => Promise<{ status: number }>> = {};
  for (const path of ['/api/v1/contributions', '/api/v1/agent/authorize', '/api/v1/agent/token', '/mcp'])
    for (const [name, body] of Object.entries(bodies)) requests[`${path} ${name}`] = () => post(path, body);
  const form = 'application/x-www-form-urlencoded';
  for (const path of ['/api/v1/agent/authorize/confirm?code=x', '/access?key=x', '/access/link'])
    requests[`${path} fields`] = () => post(path, 'a&'.repeat(bytes / 2 - 1), form);
  requests['parameters'] = () => call(`${system.url}/api/v1/content?${'a&'.repeat(4_000)}`);
  requests['headers'] = () => {
    const many = Array.from({ length: 900 }, (_, at) => [`x-${at}`, '1'] as [string, string]);
    return call(`${system.url}/api/v1/content`, { headers: many });
  };
  const refused = Object.entries(await answers(8, requests)).filter(([, codes]) => codes.some((code) => code >= 500));
  expect(refused).toEqual([]);
  expect((await call(`${system.url}/api/v1/content`, { headers: freshReader() })).status).toBe(200);
});

test('the web desk lives on after the worst forms and imports that it lets in', async () => {
  const ada = await desk.signIn('ada', 'editor');
  const late = await desk.signIn('leo', 'editor');
  const page = await ada.get('/articles/new');
  const csrf = csrfOf(page);
  await late.fillIn('/', {}, '/sign-out');
  const bytes = 1024 * 1024 - 1000;
  const send = async (path: string, body: string, browser = ada, headers: Record<string, string> = {}) => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded', ...headers };
    const response = await fetch(desk.url + path, { method: 'POST', body, headers: { ...own, cookie } });
    await response.arrayBuffer();
    return response;
  };
  const token = `_csrf=${encodeURIComponent(csrf)}`;
  const fields = (each: string, size: number) => `&${each}=${'"'.repeat(size)}`;
  const many = Array.from({ length: 400 }, (_, at) => fields(`f${at}`, bytes / 400 - 6)).join('');
  const importOf = (text: string, files: number) => {
    const parts = [...Array.from({ length: files }, (_, at) => `filename="${at}.md"\r\n\r\n${text}`)];
    const all = parts.map((part) => `--x\r\ncontent-disposition: form-data; name="files"; ${part}\r\n`);
    const field = (name: string, value: string) =>
      `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    return `${field('_csrf', csrf)}${field('act', 'import')}${all.join('')}--x--\r\n`;
  };
  const files = { 'content-type': 'multipart/form-data; boundary=x' };
  const keys = `---\n${Array.from({ length: 8_000 }, (_, at) => `${at.toString(36)}: ~\n`).join('')}---\n${'"'.repeat(200_000)}`;
  const body = (size: number) => `---\ntitle: T\nslug: s\nsite: org\n---\n${'"'.repeat(size)}`;
  expect(
    await answers(8, {
      'fields of a stranger': () => send('/articles/new', 'a&'.repeat(bytes / 2), { ...ada, cookies: new Map() }),
      'fields of a staff member': () => send('/articles/new', `${token}${'&a'.repeat(499)}`),
      'one long field': () => send('/articles/new', `${token}${fields('body', 390_000)}&act=preview`),
      'many long fields': () => send('/articles/new', `${token}${many}`),
      'many long fields, refused': () => send('/queue/none/notes', `${token}${many}`),
      'many long fields, too late': () => send('/articles/new', many, late),
    }),
  ).toEqual({
    'fields of a stranger': [401],
    'fields of a staff member': [422],
    'one long field': [422],
    'many long fields': [422],
    'many long fields, refused': [403],
    'many long fields, too late': [401],
  });
  expect(
    await answers(3, {
      'import of keys': () => send('/articles/files', importOf(keys, 27), ada, files),
      'import of texts': () => send('/articles/files', importOf(body(199_000), 40), ada, files),
      'import of small files': () => send('/articles/files', importOf(body(40_000), 200), ada, files),
    }),
  ).toEqual({ 'import of keys': [200], 'import of texts': [200], 'import of small files': [200] });
  await until('the next page', async () => (await ada.get('/articles')).status === 200);
}, 180_000);

/** Calls a method with as many empty parts of one field as fit into its largest message. Returns the status code. */
function callWithParts(address: string, method: string, field: number, bytes: number): Promise<number> {
  const client = new Client(address, credentials.createInsecure());
  const message = Buffer.alloc(bytes, Buffer.from([field * 8 + 2, 0]));
  const asBytes = (value: Buffer) => value;
  return new Promise<number>((resolve) => {
    const deadline = Date.now() + 30_000;
    client.makeUnaryRequest(method, asBytes, asBytes, message, new Metadata(), { deadline }, (error) =>
      resolve(error?.code ?? status.OK),
    );
  }).finally(() => client.close());
}

test('each service lives on after the calls with the most parts that it lets in', async () => {
  const { addresses } = system;
  const [large, usual] = [1024 * 1024 - 2, 256 * 1024 - 2];
  const calls = [
    [addresses.content, 'content.v1.ContentService/GetArticles', 1, large],
    [addresses.content, 'content.v1.EditorialService/SetHighlights', 2, large],
    [addresses.quota, 'quota.v1.QuotaService/Consume', 1, large],
    [addresses.quota, 'quota.v1.QuotaService/Peek', 1, large],
    [addresses.identity, 'identity.v1.IdentityService/ResolveTokens', 1, usual],
    [addresses.contributions, 'contributions.v1.ReasonService/PutReason', 1, usual],
  ] as const;
  for (const [address, method, field, bytes] of calls) {
    const sent = () => callWithParts(address, `/knowledge.${method}`, field, bytes);
    const codes = await Promise.all(Array.from({ length: 8 }, sent));
    expect([method, ...new Set(codes)]).toEqual([method, status.INVALID_ARGUMENT]);
  }
  const authorization = `Bearer ${token}`;
  expect((await call(`${system.url}/api/v1/contributions`, { headers: { authorization } })).status).toBe(200);
  expect((await call(`${system.url}/api/v1/content`, { headers: freshReader() })).status).toBe(200);
});
