import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { describe, expect, test } from 'vitest';
import { confirmationMail, confirmUrl, contribute, freshEmail, sendJson } from '../harness/agent.js';
import { archiveArticle, publishArticle, putArticle } from '../harness/articles.js';
import { browser, call, expectFailure, expectWords, freshReader, type HttpResponse } from '../harness/http.js';
import { openApiCheck } from '../harness/openapi.js';
import { ownSystem } from '../harness/own.js';
import { seedReading } from '../harness/reading.js';
import { until } from '../harness/until.js';

const get = (path: string, headers: Record<string, string> = {}) => call(`${system.url}${path}`, { headers });

const system = await ownSystem({ env: { PAGES_PER_ADDRESS: '10000' } });
const reading = await seedReading(system);
const check = await openApiCheck(system.url);

// The examples of every operation and failure are compared in documents-run.test.ts.
describe('OpenAPI: real responses match the document', () => {
  test('for every read', async () => {
    const authorization = `Bearer ${await system.issueToken('openapi@example.org')}`;
    const reads: [string, string, Record<string, string>?][] = [
      ['/api/agent', '/api/agent'],
      ['/api/v1/capabilities', '/api/v1/capabilities?site=io'],
      ['/api/v1/agent/changelog', '/api/v1/agent/changelog'],
      ['/api/v1/openapi.json', '/api/v1/openapi.json'],
      ['/api/v1/search', '/api/v1/search?site=org&q=wombat'],
      ['/api/v1/search', '/api/v1/search?site=all&q=wombat&fields=brief&limit=1'],
      ['/api/v1/content', '/api/v1/content?site=org&limit=2'],
      ['/api/v1/content', '/api/v1/content?site=org&q=wombat'],
      ['/api/v1/content', '/api/v1/content?site=org&tag=unheard-of'],
      ['/api/v1/curated', '/api/v1/curated?site=org'],
      ['/api/v1/curated', '/api/v1/curated?site=io'],
      ['/api/v1/content/{slug}', '/api/v1/content/field-note-1?site=org', freshReader()],
      ['/api/v1/content/{slug}', '/api/v1/content/field-note-1?site=org', { authorization }],
      ['/api/v1/objects/catalog', '/api/v1/objects/catalog?site=org'],
      ['/api/v1/objects/catalog', '/api/v1/objects/catalog?site=io&kind=story'],
      ['/api/v1/objects/catalog', '/api/v1/objects/catalog?site=org&q=checklist'],
      ['/api/v1/objects/{id}', `/api/v1/objects/${reading.objectId}`],
      ['/api/v1/prompts/active', '/api/v1/prompts/active?site=org'],
      ['/api/v1/agent/quota', '/api/v1/agent/quota', freshReader()],
      ['/api/v1/agent/quota', '/api/v1/agent/quota', { authorization }],
    ];
    for (const [template, path, headers] of reads) {
      const answer = await get(path, headers);
      expect([path, answer.status, check('GET', template, answer)]).toEqual([path, 200, []]);
      const etag = answer.headers.get('etag');
      if (etag === null) continue;
      const again = await get(path, { ...headers, 'if-none-match': etag });
      expect([path, again.status, check('GET', template, again)]).toEqual([path, 304, []]);
    }
  });

  test('for writes with nulls, a replay and an inquiry', async () => {
    const email = freshEmail();
    const template = '/api/v1/contributions';
    const expectLike = (path: string, status: number, answer: HttpResponse) =>
      expect([path, answer.status, check('POST', path, answer)]).toEqual([path, status, []]);
    const authorize = '/api/v1/agent/authorize';
    const nulls = { email, agent_name: 'Agent', purpose: null, site: null, scopes: null };
    expectLike(authorize, 202, await sendJson('POST', `${system.url}${authorize}`, nulls));
    const link = confirmUrl(system, await confirmationMail(system, email));
    const confirmed = await sendJson('POST', link, { decision: 'confirm', user_code: null });
    expectLike(`${authorize}/confirm`, 200, confirmed);
    const token = await system.issueToken(email);
    const story = { type: 'story', title: 'A title', body: 'Ten characters and more.', name: null, site: null };
    const inquiry = { type: 'inquiry', body: 'How do others do it?' };
    for (const body of [story, story, inquiry]) expectLike(template, 201, await contribute(system, token, body));
  });
});

describe('human pages', () => {
  test('every human_url opens, and costs no quota', async () => {
    const lists = ['/api/v1/content?site=org', '/api/v1/content?site=io', '/api/v1/objects/catalog?site=org'];
    for (const list of lists) {
      for (const { human_url, title } of (await get(list)).json.entries) {
        const { status, text } = await call(human_url, { headers: browser });
        expect([human_url, status, text.includes(title)]).toEqual([human_url, 200, true]);
      }
    }
  });

  test('an article has its title, date, tags, language and its API URL, on its own site', async () => {
    const slug = 'betriebsvereinbarung';
    const publishedAt = new Date('2026-03-01T08:00:00Z');
    const [title, tags, body] = ['Über <b>Betriebsvereinbarungen</b>', ['governance'], '# Anfang\n\nEin **Wort**.'];
    await putArticle(system, { slug, site: Site.IO, title, language: 'de', tags, publishedAt, body });
    const { status, headers, text } = await get(`/articles/${slug}?site=io`, browser);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
    expect(text).toContain('<h1 dir="ltr">Über &lt;b&gt;Betriebsvereinbarungen&lt;/b&gt;</h1>');
    expectWords(text, '<html lang="de">', '<time datetime="2026-03-01T08:00:00Z" lang="en">1 March 2026</time>');
    expect(text).toContain(`<a href="${system.url}/articles?site=io&amp;tag=governance">governance</a>`);
    expectWords(text, '<h2 id="anfang"><span id="text-anfang"></span>Anfang</h2>', 'Ein <strong>Wort</strong>');
    const data = /<script type="application\/ld\+json">(.*)<\/script>/.exec(text)?.[1];
    expect(JSON.parse(data ?? '')).toMatchObject({ headline: title, inLanguage: 'de' });
    const api = `${system.url}/api/v1/content/${slug}?site=io`;
    expect(text).toContain(`<link rel="alternate" type="application/json" href="${api}">`);
    expectFailure(await get(`/articles/${slug}?site=org`), 404, 'not_found');
  });

  test('a page has a validator: 304 and HEAD', async () => {
    for (const path of ['/', '/articles/field-note-1?site=org', `/objects/${reading.objectId}`]) {
      const etag = (await get(path, browser)).headers.get('etag') ?? '';
      expect((await get(path, { ...browser, 'if-none-match': etag })).status).toBe(304);
      const head = await call(`${system.url}${path}`, { method: 'HEAD' });
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
    }
  });

  test('other usual addresses of a feed lead to the feed, which says when it changed', async () => {
    for (const path of ['/feed', '/feed/', '/rss', '/rss.xml', '/atom.xml', '/index.xml']) {
      const { status, url, headers } = await fetch(`${system.url}${path}?site=org`);
      expect([path, status, url]).toEqual([path, 200, `${system.url}/feed.xml?site=org`]);
      expect(headers.get('last-modified')).toMatch(/ GMT$/);
    }
  });

  test('the sitemap lists every page of its site and nothing withdrawn, and each page opens', async () => {
    const sitemap = async (): Promise<string[]> => {
      const { status, headers, text } = await get('/sitemap.xml?site=org');
      expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
      return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => (url ?? '').replaceAll('&amp;', '&'));
    };
    const urls = await sitemap();
    for (const path of ['/', '/articles', '/objects', '/prompts', '/for-agents'])
      expect(urls).toContain(`${system.url}${path}?site=org`);
    for (const list of ['/api/v1/content?site=org', '/api/v1/objects/catalog?site=org']) {
      for (const { human_url } of (await get(list)).json.entries) expect(urls).toContain(human_url);
    }
    for (const url of urls) expect([url, (await call(url, { headers: browser })).status]).toEqual([url, 200]);
    await archiveArticle(system, 'field-note-6');
    const rest = urls.filter((url) => !url.includes('field-note-6'));
    // Every list is up to date within 100 ms (gateway/PROTOCOL.md#withdrawal).
    const left = await until('the article to be gone', async () => {
      const now = await sitemap();
      return now.length < urls.length && now;
    });
    expect(left).toEqual(rest);
    await publishArticle(system, 'field-note-6');
    for (const query of ['part=0', 'part=x', 'part=1&part=2', 'site=com'])
      expectFailure(await get(`/sitemap.xml?${query}`), 400, 'validation_error');
    expectFailure(await get('/sitemap.xml?part=2'), 404, 'not_found');
  });

  test.each([
    ['/articles?q=a&q=b', 'q: '],
    ['/articles?cursor=x', 'cursor: '],
    ['/articles?tag=two%20words', 'tag'],
    ['/objects?kind=letter', 'kind: '],
    ['/objects?cursor=x', 'cursor: '],
    ['/prompts?cursor=x', 'cursor: '],
  ])('%s gets an error', async (path, field) => {
    const { status, text } = await get(path, browser);
    expect(status).toBe(400);
    expect(text).toContain(`<p>${field}`);
  });

  test('a withdrawn article is gone from its page within 100 ms', async () => {
    const path = '/articles/field-note-7?site=org';
    for (let round = 0; round < 10; round += 1) {
      expect((await get(path, browser)).status).toBe(200);
      await archiveArticle(system, 'field-note-7');
      expect((await get(path, browser)).status).toBe(404);
      await publishArticle(system, 'field-note-7');
    }
  });
});
