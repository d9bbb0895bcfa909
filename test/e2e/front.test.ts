import { expect, test } from 'vitest';
import { call, expectFailure } from '../harness/http.js';
import { seedReading } from '../harness/reading.js';
import { sharedSystem } from '../harness/system.js';

const system = await sharedSystem();
await seedReading(system);

const facts = (headers: Headers) => {
  const own = Object.fromEntries(headers);
  for (const name of ['date', 'x-request-id']) delete own[name];
  return own;
};

test.each([
  '/api/v1/content?site=org',
  '/api/v1/curated?site=org',
  '/api/v1/objects/catalog?site=org',
  '/api/v1/content?limit=2&site=org',
])('a list answered by the fast path (%s) is the same in every header', async (path) => {
  const url = `${system.url}${path}`;
  const first = await call(url);
  for (let at = 0; at < 3; at += 1) {
    const again = await call(url, { headers: { 'x-request-id': `again-${at}` } });
    expect([again.status, again.text, facts(again.headers)]).toEqual([200, first.text, facts(first.headers)]);
    expect(again.headers.get('x-request-id')).toBe(`again-${at}`);
    const etag = first.headers.get('etag') ?? '';
    const same = await call(url, { headers: { 'if-none-match': `W/"x", ${etag}` } });
    expect([same.status, same.text]).toEqual([304, '']);
    expect(Object.fromEntries(same.headers)).toMatchObject({ etag, 'cache-control': 'public, max-age=60' });
  }
  expectFailure(await call(url, { method: 'POST' }), 405, 'method_not_allowed');
  const head = await call(url, { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
});

test('the host decides the site of a list without ?site= at each request', async () => {
  for (let at = 0; at < 3; at += 1) expect((await call(`${system.url}/api/v1/content`)).json.site).toBe('org');
});
