import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { archiveArticle, publishArticle, putArticle } from '../harness/articles.js';
import { call, expectFailure, expectPage, freshReader, type HttpResponse } from '../harness/http.js';
import { connectMcp } from '../harness/mcp.js';
import { sharedSystem } from '../harness/system.js';
import { until } from '../harness/until.js';

const paragraph = (name: string): string => `${`Words about ${name} that fill a paragraph. `.repeat(12).trim()}`;
const script = `\`\`\`sh\n${'kubectl -n shop rollout status deployment/api\n\n'.repeat(8)}\`\`\``;
const waves = ['## The waves', paragraph('waves'), script, '### Week six', paragraph('week six'), paragraph('pauses')];
const body = ['Before it began.', ...waves, '## Afterwards', paragraph('afterwards'), '## The waves', 'Again.'].join(
  '\n\n',
);
const slug = 'a-long-read';
const path = `/api/v1/content/${slug}?site=org`;

const get = (url: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
  call(url.startsWith('http') ? url : `${system.url}${url}`, { headers });
const put = (text: string) => putArticle(system, { slug, publishedAt: new Date('2026-06-01'), body: text });
const left = async (reader: Record<string, string>): Promise<number> =>
  (await get('/api/v1/agent/quota', reader)).json.quota.remaining;

const system = await sharedSystem();
await put(body);
for (const name of ['other-read', 'third-read']) await putArticle(system, { slug: name });

/** Reads a part and everything that its continuations lead to. */
async function readAll(url: string, headers: Record<string, string>): Promise<HttpResponse[]> {
  const parts = [await get(url, headers)];
  for (let next = parts[0]?.json.continuation; next; next = parts.at(-1)?.json.continuation) {
    parts.push(await get(next, headers));
    expect(parts.length).toBeLessThan(30);
  }
  return parts;
}

const bodies = (parts: readonly HttpResponse[]): string => parts.map(({ json }) => json.article.body).join('');

describe('the parts of an article', () => {
  test('are one read with all their continuations, and joined they are the whole text', async () => {
    const reader = freshReader();
    const parts = await readAll(`${path}&max_tokens=200`, reader);
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.map(({ status }) => status)).toEqual(parts.map(() => 200));
    expect(bodies(parts)).toBe(body);
    for (const { json } of parts) expect(json.part.tokens).toBeLessThanOrEqual(200);
    expect(parts.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(parts.map(() => '2'));
    expect(parts[1]?.headers.get('x-ratelimit-reset')).toBe(parts[0]?.headers.get('x-ratelimit-reset'));
    expect(await left(reader)).toBe(2);
    const { part, continuation, continuation_expires_at } = (parts.at(-1) as HttpResponse).json;
    expect([part.tokens_left, continuation, continuation_expires_at]).toEqual([0, null, null]);
  });

  test('begin a new read with each first part, like whole articles', async () => {
    const reader = freshReader();
    for (const url of [`${path}&max_tokens=200`, path, `${path}&section=text-afterwards`]) {
      expect((await get(url, reader)).status).toBe(200);
    }
    expectFailure(await get(`${path}&max_tokens=200`, reader), 429, 'read_quota_exceeded');
  });

  test('can be fetched through any gateway, again, and when the quota is used up', async () => {
    const reader = freshReader();
    const { continuation } = (await get(`${path}&max_tokens=200`, reader)).json;
    for (const name of ['other-read', 'third-read']) await get(`/api/v1/content/${name}?site=org`, reader);
    expectFailure(await get(path, reader), 429, 'read_quota_exceeded');
    const elsewhere = continuation.replace(system.gateways[0], system.gateways[1]);
    const answers = [await get(continuation, reader), await get(elsewhere, reader), await get(continuation, reader)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('are free as HEAD and as 304, by a weak ETag', async () => {
    const reader = freshReader();
    const url = `${system.url}${path}&max_tokens=200`;
    expect((await call(url, { method: 'HEAD', headers: reader })).status).toBe(200);
    const { headers } = await get(url, reader);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"/);
    const { continuation } = (await get(url, reader)).json;
    const next = await get(continuation, reader);
    expect(next.headers.get('x-ratelimit-limit')).toBe('3');
    const free = { ...reader, 'if-none-match': next.headers.get('etag') ?? '' };
    const head = await call(continuation, { method: 'HEAD', headers: reader });
    for (const answer of [head, await get(continuation, free)])
      expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    for (const sent of [etag, etag.replace('W/', ''), `"x", ${etag}`]) {
      expect((await get(url, { ...reader, 'if-none-match': sent })).status).toBe(304);
    }
    expect(await left(reader)).toBe(1);
  });

  test('are Markdown where that is wanted, with the continuation in the front matter', async () => {
    const reader = { ...freshReader(), accept: 'text/markdown' };
    let text = '';
    for (let url: string | null = `${path}&max_tokens=200`; url !== null; ) {
      const answer: HttpResponse = await get(url, reader);
      expect(answer.headers.get('content-type')).toMatch(/^text\/markdown/);
      const [, head = '', rest = ''] = /^---\n(.*?)\n---\n\n(.*)\n$/s.exec(answer.text) ?? [];
      const facts = load(head) as { part: object; notice: string; continuation: string | null };
      expect(facts).toMatchObject({ slug, notice: expect.stringContaining('untrusted'), part: expect.any(Object) });
      text += rest;
      url = facts.continuation;
    }
    expect(text).toBe(body);
    expect(await left(reader)).toBe(2);
  });
});

describe('a section', () => {
  test('is what the outline lists, with the sections inside it', async () => {
    const outline = await get(`/api/v1/content/${slug}/outline?site=org`);
    expect(outline.status).toBe(200);
    expect(outline.headers.get('etag')).toMatch(/^"/);
    expect(outline.headers.get('cache-control')).toBe('public, no-cache');
    expect(outline.text).not.toMatch(/fill a paragraph|kubectl|Before it began/);
    const sections = outline.json.sections as { anchor: string; level: number }[];
    const shown = sections.map(({ anchor, level }) => `${anchor} ${level}`);
    expect(shown).toEqual(['the-waves 2', 'week-six 3', 'afterwards 2', 'the-waves-1 2']);
    const [first] = outline.json.sections;
    const { json } = await get(`${path}&section=${first.anchor}`, freshReader());
    expect(json.article.body.trimEnd()).toBe(waves.join('\n\n'));
    expect(json.part).toMatchObject({ section: first.anchor, tokens: first.tokens, tokens_left: 0 });
    const page = (await get(`/articles/${slug}?site=org`)).text;
    for (const { anchor } of outline.json.sections) expect(page).toContain(`id="${anchor}"`);
  });

  test('brings all other sections of its article, and the whole of it, at no further cost', async () => {
    const reader = freshReader();
    const { json } = await get(`${path}&section=week-six`, reader);
    const { url, anchors } = json.other_sections;
    expect(anchors).toEqual(['the-waves', 'afterwards', 'the-waves-1']);
    expect(json.continuation).toBeNull();
    for (const name of ['other-read', 'third-read']) await get(`/api/v1/content/${name}?site=org`, reader);
    expectFailure(await get(`${path}&section=text-afterwards`, reader), 429, 'read_quota_exceeded');
    const others: HttpResponse[] = [];
    for (const anchor of anchors) others.push(await get(`${url}${anchor}`, reader));
    expect(others.map(({ status, json: { part } }) => [status, part.section])).toEqual(
      anchors.map((anchor: string) => [200, anchor]),
    );
    expect(others[0]?.json.article.body.trimEnd()).toBe(waves.join('\n\n'));
    expect(others[0]?.json).not.toHaveProperty('other_sections');
    expect(others[0]?.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(bodies(await readAll(`${url}the-waves&max_tokens=200`, reader)).trimEnd()).toBe(waves.join('\n\n'));
    const whole = await get(url.replace('&section=', ''), reader);
    expect([whole.json.article.body, whole.json.continuation]).toEqual([body, null]);
    expectFailure(await get(`${url}nope`, reader), 404, 'not_found');
    expectFailure(await get(`${url}text-afterwards`, freshReader()), 400, 'validation_error');
  });

  test('is reached from every counted part, unless that is the whole article', async () => {
    const reader = { ...freshReader(), accept: 'text/markdown' };
    const { text } = await get(`${path}&max_tokens=200`, reader);
    const [, url = ''] = /^other_sections: \{"url":"([^"]+)"/m.exec(text) ?? [];
    expect((await get(`${url}text-afterwards`, reader)).text).toContain('Words about afterwards');
    const whole = await readAll(url.replace('&section=', ''), { ...reader, accept: 'application/json' });
    expect([whole[0]?.json.part.tokens <= 200, bodies(whole)]).toEqual([true, body]);
    expect((await get(`${path}&max_tokens=50000`, freshReader())).json.other_sections).toBeNull();
    expect(await left(reader)).toBe(2);
  });

  test('that does not exist costs nothing and is answered with those that do', async () => {
    const reader = freshReader();
    const answer = await get(`${path}&section=nope`, reader);
    expectFailure(answer, 404, 'not_found', 'the-waves, week-six, afterwards, the-waves-1');
    expect(answer.json.message).toMatch(/All are in \/api\/v1\/content\/[a-z-]+\/outline\?site=org\./);
    expect(await left(reader)).toBe(3);
  });
});

describe('a continuation', () => {
  test('works for its reader only', async () => {
    const reader = freshReader();
    const { continuation } = (await get(`${path}&max_tokens=200`, reader)).json;
    for (const other of [
      freshReader(),
      {},
      { authorization: `Bearer ${await system.issueToken('eve@example.org')}` },
    ]) {
      expectFailure(await get(continuation, other), 400, 'validation_error', 'another reader');
    }
    expect((await get(continuation, reader)).status).toBe(200);
  });

  test.each([
    ['changed', (url: string) => url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), 'is not as it was sent'],
    ['of another article', (url: string) => url.replace(slug, 'other-read'), 'belongs to the article'],
    ['twice', (url: string) => `${url}&continuation=x`, 'continuation: '],
    ['with a size beyond the bounds', (url: string) => `${url}&max_tokens=199`, 'from 200 to 50000'],
  ])('that is %s is refused, and nothing is counted', async (_, changed, message) => {
    const reader = freshReader();
    const { continuation } = (await get(`${path}&max_tokens=200`, reader)).json;
    expectFailure(await get(changed(continuation), reader), 400, 'validation_error', message);
    expect(await left(reader)).toBe(2);
  });

  test.each(['199', '50001', '0', '-1', '1e3', 'many', ''])('no part has max_tokens=%s', async (size) => {
    expectFailure(await get(`${path}&max_tokens=${size}`, freshReader()), 400, 'validation_error');
  });

  test('an agent that asks the page of an article for a part learns where parts are, and pays nothing', async () => {
    const reader = freshReader();
    for (const headers of [reader, { ...reader, accept: 'text/markdown' }]) {
      expectPage(await get(`/articles/${slug}?site=org&max_tokens=200`, headers), 400, `/api/v1/content/${slug}`);
    }
    expect(await left(reader)).toBe(3);
    expect((await get(`/articles/${slug}?site=org&section=afterwards`, { accept: 'text/html' })).status).toBe(200);
  });

  test('goes on over MCP, also as a whole URL', async () => {
    const agent = await connectMcp(`${system.url}/mcp`, freshReader());
    const first = await agent.call('read_article', { slug, site: 'org', max_tokens: 200 });
    expect(first.texts[1]).toMatch(/^2 of 3 /);
    const url: string = first.json.continuation;
    const token = new URL(url).searchParams.get('continuation');
    for (const continuation of [url, token]) {
      const named = continuation === token ? { slug, site: 'org' } : {};
      const next = await agent.call('read_article', { ...named, continuation });
      expect([next.isError, next.texts[1]]).toEqual([false, first.texts[1]]);
      expect(body.startsWith(first.json.article.body + next.json.article.body)).toBe(true);
    }
    const other = { slug, site: 'org', section: 'afterwards', continuation: first.json.other_sections.url };
    const { json: afterwards } = await agent.call('read_article', other);
    expect(afterwards.part.section).toBe('afterwards');
    expect((await agent.call('check_quota', {})).json.quota.remaining).toBe(2);
    for (const name of [slug, `${system.url}${path}`, `${system.url}/articles/${slug}?site=org`]) {
      const { json } = await agent.call('read_outline', { slug: name, ...(name === slug && { site: 'org' }) });
      expect(json.sections).toHaveLength(4);
    }
  });

  test('goes on after a new revision with the same text', async () => {
    const reader = freshReader();
    const { article, continuation } = (await get(`${path}&max_tokens=200`, reader)).json;
    await archiveArticle(system, slug);
    await publishArticle(system, slug);
    const rest = await until('the new revision to reach the gateway', async () => {
      const { json } = await get(`${continuation}&max_tokens=50000`, reader);
      return json.article?.revision > article.revision ? json : undefined;
    });
    expect(article.body + rest.article.body).toBe(body);
    expect(await left(reader)).toBe(2);
  });

  test('ends when the text changes, and says that a new read is needed', async () => {
    const reader = freshReader();
    const { continuation } = (await get(`${path}&max_tokens=200`, reader)).json;
    await put(`${body}\n\nMore.`);
    const answer = await until('the change to reach the gateway', async () => {
      const part = await get(continuation, reader);
      return part.status === 200 ? undefined : part;
    });
    expectFailure(answer, 409, 'invalid_state', 'A new read is needed');
    expect(await left(reader)).toBe(2);
  });

  test('ends when the article is withdrawn', async () => {
    const reader = freshReader();
    const { continuation } = (await get(`${path}&max_tokens=200`, reader)).json;
    await archiveArticle(system, slug);
    expectFailure(await get(continuation, reader), 404, 'not_found');
    expectFailure(await get(`/api/v1/content/${slug}/outline?site=org`), 404, 'not_found');
    await put(body);
    await publishArticle(system, slug);
  });
});

const choice = ['title', 'summary', 'language', 'published_at', 'updated_at', 'api_url', 'reading_tokens'];

describe('brief listings', () => {
  test.each([
    ['content', ['slug', ...choice]],
    ['objects/catalog', ['id', 'kind', ...choice]],
    ['curated', ['slug', ...choice, 'editor_note']],
  ])('%s has only what a choice needs', async (listing, names) => {
    const full = await get(`/api/v1/${listing}?site=org`);
    const brief = await get(`/api/v1/${listing}?site=org&fields=brief`);
    for (const [at, entry] of brief.json.entries.entries()) {
      expect(Object.keys(entry)).toEqual(names);
      expect(full.json.entries[at]).toMatchObject(entry);
    }
    expect(brief.json.entries.length).toBe(full.json.entries.length);
    expectFailure(await get(`/api/v1/${listing}?site=org&fields=short`), 400, 'validation_error');
  });

  test('keep to their fields on the next page', async () => {
    const { json } = await get('/api/v1/content?site=org&fields=brief&limit=1');
    expect(json.next_url).toContain('fields=brief');
    expect(Object.keys((await get(json.next_url)).json.entries[0])).toEqual(['slug', ...choice]);
  });
});
