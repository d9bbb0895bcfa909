import { expect, test } from 'vitest';
import { putArticle } from '../harness/articles.js';
import { expectPage, expectWords } from '../harness/http.js';
import { ownSystem, ownWebDesk } from '../harness/own.js';

const system = await ownSystem();
const desk = await ownWebDesk(system);
await putArticle(system, { slug: 'recorded', title: 'Recorded' });

test('an administrator sees and saves what happened in all services', async () => {
  const browser = await desk.signIn('ada', 'administrator');
  const page = await browser.get('/record?subject=article&id=recorded');
  expectWords(page.text, 'article <a href="/articles/org/recorded"><bdi>recorded</bdi></a>', 'new → published');
  const all = await browser.get('/record/file?format=jsonl');
  expect(all.headers.get('content-disposition')).toBe('attachment; filename="record.jsonl"');
  const events = all.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { service: string; subject: string; actor: string });
  expect(events).toContainEqual(expect.objectContaining({ service: 'content', subject: 'article' }));
  expect(events).toContainEqual(expect.objectContaining({ service: 'identity', subject: 'session', actor: 'ada' }));
});

test('the record has pages, which stay as they are while more happens, and no looks unless they are asked for', async () => {
  const browser = await desk.signIn('ada', 'administrator');
  const change = (at: number) => putArticle(system, { slug: `page-${at}`, title: `P${at}` });
  for (let at = 0; at < 60; at++) await change(at);
  const rows = (text: string) => [...text.matchAll(/<bdi>page-(\d+)<\/bdi>/g)].map(([, at]) => Number(at));
  const first = await browser.get('/record?subject=article');
  const [, older = ''] = /href="([^"]+)">Older entries/.exec(first.text) ?? [];
  await change(60);
  const second = await browser.get(older.replaceAll('&amp;', '&'));
  expect(rows(first.text)).toEqual(Array.from({ length: 50 }, (_, at) => 59 - at));
  expect(rows(second.text)).toEqual(Array.from({ length: 10 }, (_, at) => 9 - at));
  expect(second.text).not.toContain('Older entries');
  await browser.get('/people/id/beef');
  await browser.get((await browser.get('/people/id/beef')).headers.get('location') ?? '');
  expect((await browser.get('/record?subject=person')).text).not.toContain('listed');
  expect((await browser.get('/record?subject=person&looks=yes')).text).toContain('listed');
});

test('a moderator sees the log that their role may read, and the names of the others', async () => {
  const page = await (await desk.signIn('mia', 'moderator')).get('/record');
  expect(page.text).toContain('Your role does not see the logs of content, identity, quota.');
});

test('a wrong time is named in the form, which keeps the rest', async () => {
  const page = await (await desk.signIn('ada', 'administrator')).get('/record?from=yesterday&by=mia');
  expectPage(page, 422, 'id="from-fault">From must be a time');
  for (const value of ['yesterday', 'mia']) expect(page.text).toContain(`value="${value}"`);
});
