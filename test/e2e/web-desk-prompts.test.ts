import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { SearchCountServiceService } from '@knowledge/proto/knowledge/content/v1/search_counts';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { expect, test } from 'vitest';
import { putBare } from '../harness/articles.js';
import { expectPage, expectWords } from '../harness/http.js';
import { ownWebDesk } from '../harness/own.js';
import { asTester, sharedSystem } from '../harness/system.js';
import { csrfOf } from '../harness/web-desk.js';

const system = await sharedSystem();
const desk = await ownWebDesk(system);
const editor = await desk.signIn('eda', 'editor');

const question = 'Which alert did you delete, and why?';

test('an editor writes a prompt, corrects, opens and closes it', async () => {
  const form = await editor.get('/prompts/new');
  const sent = { site: 'org', question };
  const made = await editor.submit(form, '/prompts/new', sent);
  const path = made.headers.get('location') ?? '';
  expect([made.status, path]).toEqual([303, expect.stringMatching(/^\/prompts\/[0-9a-f-]{36}$/)]);
  // The same form sent twice makes one prompt.
  expect((await editor.submit(form, '/prompts/new', sent)).headers.get('location')).toBe(path);
  expect((await editor.get('/prompts?site=org')).text.split(`href="${path}"`)).toHaveLength(2);

  const refused = await editor.submit(await editor.get(path), `${path}/correct`, { question: 'Why?' });
  expectPage(refused, 422, 'Question must have at least 10 characters; it has 4.', '>Why?</textarea>');
  const corrected = { question: `${question} Who agreed?` };
  expect((await editor.submit(refused, `${path}/correct`, corrected)).status).toBe(303);

  expect((await editor.fillIn(`${path}/activate`)).status).toBe(303);
  const active = await editor.get(path);
  expectWords(active.text, '<span class="state">active</span>', 'Who agreed?');
  expect((await editor.fillIn(`${path}/close`)).status).toBe(303);
  expect((await editor.get(path)).text).toContain('<span class="state">closed</span>');
});

test('an editor sees what readers look for; support may not', async () => {
  await putBare(system, 'weeks', { title: 'How <b>long</b> it took', publish: true });
  await countReads({ weeks: 3, gone: 2 });
  const { text } = await editor.get('/prompts/gaps');
  expect(text).toContain('href="/articles/org/weeks"><bdi>How &lt;b&gt;long&lt;/b&gt; it took</bdi>');
  // Readers no longer get it, so only its name is known.
  expectWords(text, 'href="/articles/org/gone"><bdi>gone</bdi>', 'What readers look for');
  expectWords(text, 'How many readers met their limit', 'Read most in the last 30 days, Organisation');
  const support = await desk.signIn('sue', 'support');
  expect((await support.get('/prompts')).status).toBe(403);
});

test('an administrator sees the limits that hold, and sets a ceiling; others may not', async () => {
  const admin = await desk.signIn('ada', 'administrator');
  expect((await admin.get('/admin')).text).toContain('href="/admin/limits"');
  const { text } = await admin.get('/admin/limits');
  expect(text).toMatch(/articles read with a token, a day<\/td><td>email<\/td><td class="right">10<\/td>/);
  expect(text).toMatch(
    />off<\/td><td class="right">0<\/td><td>the configuration <a href="\/admin\/limits\/link_address"/,
  );
  const path = '/admin/limits/link_address';
  const form = await admin.get(path);
  const refused = await admin.submit(form, path, { act: 'set', units: 'many', reason: 'a <flood>' });
  expectPage(refused, 422, 'Limit must be a whole number', 'value="a &lt;flood&gt;"');
  expect((await admin.submit(refused, path, { act: 'set', units: '7', reason: 'a <flood>' })).status).toBe(303);
  const set = await admin.get(path);
  expect(set.text).toMatch(/<dd>7<\/dd>.*<bdi>ada<\/bdi>.*a &lt;flood&gt;/s);
  expect((await admin.get('/record?subject=ceiling')).text).toMatch(/link_address.*a &lt;flood&gt;/s);
  expect((await admin.submit(set, path, { act: 'restore', units: '', reason: 'it is over' })).status).toBe(303);
  expect((await admin.get(path)).text).toContain('the configuration');
  expect((await admin.get('/admin/limits/read_client_id')).status).toBe(404);

  const support = await desk.signIn('sue', 'support');
  expect((await support.get('/admin/limits')).text).not.toContain(path);
  expect((await support.get(path)).status).toBe(403);
  const moderator = await desk.signIn('mia', 'moderator');
  expect((await moderator.get('/admin/limits')).status).toBe(403);
});

test('an administrator keeps the reasons that moderators choose from', async () => {
  const admin = await desk.signIn('ada', 'administrator');
  const page = await admin.get('/admin/reasons');
  const reason = { id: 'too-short', words: 'Please tell <b>more</b>.', 'for-reject': 'yes', order: '3' };
  const refused = await admin.submit(page, '/admin/reasons', { ...reason, order: 'first' });
  expectPage(refused, 422, 'Place in the list must be a number from 0.', 'Please tell &lt;b&gt;more&lt;/b&gt;.');
  expect((await admin.submit(refused, '/admin/reasons', reason)).status).toBe(303);
  expect((await admin.get('/admin/reasons?edit=too-short')).text).toContain('value="too-short"');
  await expect
    .poll(async () => (await admin.get('/record?subject=reason')).text)
    .toContain('<a href="/admin/reasons?edit=too-short">');
  const moderator = await desk.signIn('mia', 'moderator');
  expect((await moderator.get('/admin/reasons')).status).toBe(403);
  const _csrf = csrfOf(await moderator.get('/queue'));
  expect((await moderator.post('/admin/reasons', { ...reason, _csrf })).status).toBe(403);
  const removal = await admin.get('/admin/reasons/too-short/delete');
  expect(removal.text).toContain('Please tell &lt;b&gt;more&lt;/b&gt;.');
  expect((await admin.submit(removal, '/admin/reasons/too-short/delete')).status).toBe(303);
  expect((await admin.get('/admin/reasons')).text).not.toContain('too-short');
});

async function countReads(reads: Readonly<Record<string, number>>): Promise<void> {
  const searches = connectGrpc(SearchCountServiceService, { address: system.addresses.content, deadlineMs: 10_000 });
  const counted = Object.entries(reads).map(([slug, times]) => ({ site: Site.ORG, slug, reads: times }));
  await searches.countReads({ batch: randomUUID(), reads: counted }, asTester());
  searches.close();
}
