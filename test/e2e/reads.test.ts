import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { archiveArticle, publishArticle, putArticle } from '../harness/articles.js';
import { bearer, call, expectFailure, freshReader } from '../harness/http.js';
import { ownSystem } from '../harness/own.js';
import { seedReading } from '../harness/reading.js';
import { until } from '../harness/until.js';

const get = (path: string, headers: Record<string, string> = {}) => call(`${system.url}${path}`, { headers });

/** What a list of org has that has no next page. */
const listing = { ok: true, api_version: '1.0.0', site: 'org', next_cursor: null, next_url: null };
const slugsIn = ({ entries }: { entries: { slug: string }[] }) => entries.map(({ slug }) => slug);

const system = await ownSystem();
const reading = await seedReading(system);

describe('GET /api/v1/content', () => {
  test('pages by cursor without repeating or skipping an entry, even while articles change', async () => {
    const seen: string[] = [];
    let url = `${system.url}/api/v1/content?site=org&limit=2`;
    for (let page = 0; url && page < 10; page += 1) {
      const { json } = await call(url);
      seen.push(...slugsIn(json));
      expect(json.total).toBeGreaterThanOrEqual(7);
      if (page === 1) await putArticle(system, { slug: 'newcomer', publishedAt: new Date() });
      url = json.next_url;
    }
    expect(seen).toEqual(reading.org);
    await archiveArticle(system, 'newcomer');
    await until('the newcomer to be gone', async () => (await get('/api/v1/content?site=org')).json.total === 7);
  });

  test('tag and updated_since filter, without a total', async () => {
    const tagged = (await get('/api/v1/content?site=org&tag=rollout&limit=2')).json;
    expect(slugsIn(tagged)).toEqual(['field-note-1', 'field-note-3']);
    expect(tagged.total).toBeNull();
    expect(slugsIn((await call(tagged.next_url)).json)).toEqual(['field-note-5', 'field-note-7']);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const none = (await get(`/api/v1/content?site=org&updated_since=${later}`)).json;
    expect(none).toMatchObject({ entries: [], total: null });
    expect((await get('/api/v1/content?site=org&updated_since=2020-01-01T00:00:00Z')).json.entries).toHaveLength(7);
  });

  test('an empty result has an empty list and nulls', async () => {
    const { json } = await get('/api/v1/content?site=org&tag=unheard-of');
    expect(json).toEqual({ ...listing, total: null, entries: [] });
  });

  test.each([
    ['limit=10&limit=20', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=', 'cursor'],
    ['cursor=a&cursor=b', 'cursor'],
    ['updated_since=yesterday', 'updated_since'],
    ['updated_since=2026-13-45T99:00:00Z', 'updated_since'],
    ['updated_since=2016-12-31T23:59:60Z', 'updated_since'],
    [`tag=${'x'.repeat(41)}`, 'tag'],
    ['tag=%20', 'tag: must not be empty.'],
  ])('?%s is a validation_error that names the field', async (query, field) => {
    expectFailure(await get(`/api/v1/content?${query}`), 400, 'validation_error', field);
  });
});

describe('the other reads', () => {
  test('GET /api/v1/curated lists highlights in the editors’ order, without withdrawn articles', async () => {
    const { json } = await get('/api/v1/curated?site=org');
    expect(json.entries).toMatchObject([
      { slug: 'field-note-3', position: 1, editor_note: 'Start here.' },
      { slug: 'field-note-1', position: 2, editor_note: '' },
    ]);
    expect(Object.keys(json)).toEqual(['ok', 'api_version', 'site', 'entries']);
    await archiveArticle(system, 'field-note-3');
    await until('it to drop out', async () => (await get('/api/v1/curated?site=org')).json.entries.length === 1);
    await publishArticle(system, 'field-note-3');
    const after = await until('it to be back', async () => {
      const answer = await get('/api/v1/curated?site=org');
      return answer.json.entries.length === 2 && answer;
    });
    expect(after.json.entries[0].position).toBe(1);
    expect((await get('/api/v1/curated?site=io')).json.entries).toEqual([]);
  });

  test('GET /api/v1/content/{slug} returns the whole article, with the same bytes for every reader', async () => {
    const first = await get('/api/v1/content/field-note-2?site=org', freshReader());
    const token = await system.issueToken('same-bytes@example.org');
    const second = await get('/api/v1/content/field-note-2?site=org', bearer(token));
    expect(first.status).toBe(200);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(first.json).toMatchObject({
      ok: true,
      site: 'org',
      article: {
        slug: 'field-note-2',
        body_format: 'markdown',
        revision: expect.any(Number),
        source: 'knowledge_base',
      },
    });
    expect(first.json.article.body).toContain('café, naïve, 名前');
    expect(first.json.article.related.length).toBeGreaterThan(0);
    for (const related of first.json.article.related) {
      expect(Object.keys(related)).toEqual(['slug', 'title', 'api_url']);
      expect((await call(related.api_url, { method: 'HEAD' })).status).toBe(200);
    }
  });

  test.each([
    'no-such-article',
    'UPPER',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    'a'.repeat(300),
    '%F0%9F%98%80',
    "'%20OR%201=1",
    '{"$ne":null}',
  ])('an article %s is not_found, and has no page', async (slug) => {
    expectFailure(await get(`/api/v1/content/${slug}?site=org`, freshReader()), 404, 'not_found');
    expectFailure(await get(`/articles/${slug}`), 404, 'not_found');
  });

  test('a name that is nearly right gets the search that finds the article, whole and in parts', async () => {
    for (const path of ['note-field-1?', 'note-field-1?max_tokens=500&', 'note-field-1/outline?']) {
      const { json } = await get(`/api/v1/content/${path}site=org`, freshReader());
      const [search = ''] = /\/api\/v1\/search\S+$/.exec(json.message) ?? [];
      expect(search).toContain('q=note+field+1');
      const slugs = (await get(search)).json.entries.map(({ slug }: { slug?: string }) => slug);
      expect([path, slugs]).toEqual([path, expect.arrayContaining(['field-note-1'])]);
    }
  });

  test('an article of one site is not found on the other, and the message says where it is', async () => {
    const reader = freshReader();
    for (const path of ['postmortem-1?', 'postmortem-1?max_tokens=500&', 'postmortem-1/outline?']) {
      const answer = await get(`/api/v1/content/${path}site=org`, reader);
      expectFailure(answer, 404, 'not_found');
      const there = path.includes('outline') ? 'postmortem-1/outline?site=io' : 'postmortem-1?site=io';
      expect(answer.json.message).toMatch(/^This site has no published article of this name, but io has one: /);
      expect(answer.json.message.endsWith(` /api/v1/content/${there}`)).toBe(true);
    }
    expect((await get('/api/v1/agent/quota', reader)).json.quota.remaining).toBe(3);
    expect((await get('/api/v1/content/postmortem-1?site=io', freshReader())).status).toBe(200);
  });

  test('every object that is not published gets the same 404, byte for byte', async () => {
    const ids = [
      randomUUID(),
      'malformed',
      '00000000-0000-0000-0000-000000000000',
      'x'.repeat(500),
      '%7B%22$ne%22:null%7D',
    ];
    const answers = await Promise.all(ids.map((id) => get(`/api/v1/objects/${id}`)));
    const pages = await Promise.all(ids.map((id) => get(`/objects/${id}`)));
    for (const answer of [...answers, ...pages]) expectFailure(answer, 404, 'not_found');
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('lists cost no quota', async () => {
    const reader = freshReader();
    for (let at = 0; at < 8; at += 1) {
      for (const path of ['/api/v1/content', '/api/v1/curated', '/api/v1/objects/catalog', '/api/v1/search?q=wombat']) {
        expect((await get(path, reader)).status).toBe(200);
      }
    }
    expect((await get('/api/v1/agent/quota', reader)).json.quota.remaining).toBe(3);
  });
});

test.each([
  ['/api/v1/content?site=org', 'public, max-age=60'],
  ['/api/v1/curated?site=org', 'public, max-age=60'],
  ['/api/v1/objects/catalog?site=org', 'public, max-age=60'],
  ['/api/v1/content/field-note-1?site=org', 'private, no-cache'],
  ['/api/v1/objects/OBJECT', 'public, no-cache'],
])('%s has a strong ETag, answers If-None-Match with 304 and sends %s', async (template, keep) => {
  const path = template.replace('OBJECT', reading.objectId);
  const reader = { ...freshReader(), 'accept-encoding': 'identity' };
  const first = await get(path, reader);
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{20,}"$/);
  expect(first.headers.get('cache-control')).toBe(keep);
  for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get(path, { ...reader, 'if-none-match': sent });
    expect([sent, again.status, again.text, again.headers.get('etag')]).toEqual([sent, 304, '', etag]);
  }
  expect((await get(path, { ...reader, 'if-none-match': '"other"' })).status).toBe(200);
  const head = await call(`${system.url}${path}`, { method: 'HEAD', headers: reader });
  expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(first.text)));
});

describe('sites', () => {
  test('a list without ?site= is that of the default one at each request', async () => {
    for (let at = 0; at < 3; at += 1) expect((await get('/api/v1/content')).json.site).toBe('org');
  });

  test.each([
    '/api/v1/content',
    '/api/v1/agent/changelog',
    '/api/v1/agent/quota',
    '/api/v1/objects/x',
    '/api/v1/capabilities',
  ])('a wrong site is an error on %s too', async (path) => {
    for (const query of ['site=com', 'site=', 'site=io&site=org'])
      expectFailure(await get(`${path}?${query}`), 400, 'validation_error');
  });

  test('no URL is built from the headers Host or X-Forwarded-*', async () => {
    const evil = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const answer = await get('/api/v1/content?site=org', { ...evil, 'x-forwarded-proto': 'https' });
    expect(answer.text).not.toContain('evil.example');
    expect(JSON.stringify([...answer.headers])).not.toContain('evil.example');
  });
});
