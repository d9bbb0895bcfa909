import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asTester, type System, startSystem } from '../harness/system.js';
import { type StaffBrowser, startWebDesk, type WebDesk } from '../harness/web-desk.js';

let system: System;
let desk: WebDesk;
let ada: StaffBrowser;
let ben: StaffBrowser;
beforeAll(async () => {
  system = await startSystem();
  desk = await startWebDesk(system);
  ada = await desk.signIn('ada', 'editor');
  ben = await desk.signIn('ben', 'editor');
});
afterAll(async () => {
  await desk?.close();
  await system?.close();
});

const put = (slug: string, part: Partial<PutArticleRequest> = {}) => {
  const request: object = { site: Site.ORG, slug, title: `Title of ${slug}`, body: 'A body.', publish: true, ...part };
  return system.clients.editorial.putArticle(PutArticleRequest.fromPartial(request), asTester());
};

test('highlights are added, moved and saved, and a colleague who comes late loses nothing unseen', async () => {
  const path = '/articles/highlights/org';
  for (const slug of ['one', 'two', '2026']) await put(slug);
  await put('draft', { publish: false });
  const shown = async () => {
    const { highlights } = await system.clients.content.listHighlights({ site: Site.ORG }, asTester());
    return highlights.map(({ entry, editorNote }) => [entry?.slug, editorNote]);
  };
  const first = await ada.get(path);
  expect(first.text).toContain('The list is empty.');
  const refused = await ada.submit(first, path, { act: 'add', added: 'draft' });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('draft is not a published article')]);

  const lines = { 'note-one': '', 'note-2026': 'why <2026>' };
  const added = await ada.submit(first, path, { act: 'add', added: 'https://org.example/articles/two', ...lines });
  expect(added.text).toContain('This list is not saved yet.');
  expect(added.text.match(/name="note-[^"]+/g)).toEqual(['name="note-two', 'name="note-one', 'name="note-2026']);
  const moved = await ada.submit(added, path, { act: 'down:two', 'note-two': '', ...lines });
  expect(moved.text.match(/name="note-[^"]+/g)).toEqual(['name="note-one', 'name="note-two', 'name="note-2026']);
  expect(moved.text).toMatch(/value="down:two"[^>]* autofocus/);
  expect(await shown()).toEqual([]);
  const saved = await ada.submit(moved, path, { act: 'save', 'note-2026': 'why <2026>', 'note-one': '' });
  expect(saved.headers.get('location')).toBe(`${path}?saved=yes`);
  expect(await shown()).toEqual([
    ['2026', 'why <2026>'],
    ['one', ''],
  ]);

  const [hers, his] = await Promise.all([ada.get(path), ben.get(path)]);
  expect((await ada.submit(hers, path, { act: 'save', 'note-2026': 'why <2026>' })).status).toBe(303);
  const late = await ben.submit(his, path, { act: 'save', 'note-one': 'his', 'note-two': '' });
  expect([late.status, late.text]).toEqual([422, expect.stringContaining('Somebody saved another list meanwhile')]);
  expect(late.text).toContain('with its note: <q>why &lt;2026&gt;</q>');
  expect(await shown()).toEqual([['2026', 'why <2026>']]);
  expect((await ben.submit(late, path, { act: 'save', 'note-one': 'his', 'note-two': '' })).status).toBe(303);
  expect(await shown()).toEqual([
    ['one', 'his'],
    ['two', ''],
  ]);
});
