import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { putArticle } from '../harness/articles.js';
import { call, freshReader } from '../harness/http.js';
import { connectMcp } from '../harness/mcp.js';
import { ownSystem } from '../harness/own.js';

const slugs = Array.from({ length: 40 }, (_, at) => `large-${at}`);
/** A long summary, so that one list of 40 has 75 kB. */
const summary = '要約。'.repeat(160);
/** The largest allowed article: 200 kB (gateway/PROTOCOL.md#articles). */
const body = 'word '.repeat(40_000).trim();

const system = await ownSystem();
await Promise.all(slugs.map((slug) => putArticle(system, { slug, body, summary })));

test('forty parallel reads of 200 kB all succeed; a full batch does not break other requests', async () => {
  await system.processes['gateway']?.restart();
  const answers = await Promise.all(
    slugs.map((slug) => call(`${system.url}/api/v1/content/${slug}?site=org`, { headers: freshReader() })),
  );
  expect(answers.map(({ status }) => status)).toEqual(slugs.map(() => 200));
  for (const { json } of answers) expect(json.article.body).toHaveLength(body.length);
});

test('a tool gives what its client can take: a part of a long article for one read, fewer entries of a long list', async () => {
  const agent = await connectMcp(`${system.url}/mcp`, freshReader());
  const bytes = (texts: readonly string[]) => Buffer.byteLength(texts[0] ?? '');
  for (const given of [{}, { max_tokens: 50_000 }, { section: undefined }]) {
    const { json, texts } = await agent.call('read_article', { slug: slugs[0], site: 'org', ...given });
    expect([bytes(texts) <= 80_000, typeof json.continuation]).toEqual([true, 'string']);
    expect(body.startsWith(json.article.body)).toBe(true);
  }
  expect((await agent.call('check_quota')).json.quota.remaining).toBe(0);
  // With these the list is longer than an answer.
  for (let at = 0; at < 20; at += 1) await putArticle(system, { slug: `short-${at}`, summary });
  const listed = await agent.call('search_articles', { site: 'org', fields: 'full', limit: 200 });
  expect([bytes(listed.texts) <= 80_000, typeof listed.json.next_url]).toEqual([true, 'string']);
  expect(listed.json.entries.length).toBeGreaterThan(10);
});

// After the cache is full, the test requests 90 MB of lists. It fails if more than half of them stay in memory.
test('thousands of different lists take no more memory than HOLD_MEGABYTES allows', async () => {
  const gateway = system.processes['gateway'];
  await gateway?.restart({ HOLD_MEGABYTES: '16', NODE_OPTIONS: '--max-old-space-size=96' });
  let next = 0;
  const readUntil = async (end: number): Promise<void> => {
    const reader = async (): Promise<void> => {
      while (next < end) {
        const since = new Date(Date.UTC(2020, 0, 1) + next).toISOString();
        next += 1;
        const url = `${system.url}/api/v1/content?site=org&limit=40&updated_since=${since}`;
        const answer = await fetch(url);
        expect([answer.status, (await answer.arrayBuffer()).byteLength > 70_000]).toEqual([200, true]);
      }
    };
    await Promise.all(Array.from({ length: 8 }, reader));
  };
  // First the cache must reach its limit.
  await readUntil(300);
  const before = await residentMegabytes(gateway?.pid);
  await readUntil(1_500);
  const after = await residentMegabytes(gateway?.pid);
  expect(after - before).toBeLessThan(50);
}, 120_000);

async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
