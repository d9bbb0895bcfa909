import type { PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { describe, expect, test } from 'vitest';
import { contribute, freshEmail } from '../harness/agent.js';
import { archiveArticle, articleOf, putBare } from '../harness/articles.js';
import { expectPage, expectWords } from '../harness/http.js';
import { ownSystem, ownWebDesk } from '../harness/own.js';
import { until } from '../harness/until.js';

const system = await ownSystem();
const desk = await ownWebDesk(system);
const ada = await desk.signIn('ada', 'editor');
const ben = await desk.signIn('ben', 'editor');

const put = (slug: string, part?: Partial<PutArticleRequest>) => putBare(system, slug, part);
const record = (slug: string) => articleOf(system, slug);
const fields = (part: Record<string, string> = {}) => ({
  ...{ title: 'Title', summary: '', tags: 'a, b', author: '', language: '', published_at: '', reason: '' },
  ...{ body: '# Head\r\n\r\nSome *words*.', act: 'save', ...part },
});

describe('the form of an article', () => {
  test('shows a preview in three forms, stores nothing for it, and then saves the same text', async () => {
    const page = await ada.get('/articles/new');
    const typed = fields({ site: 'org', slug: 'written' });
    const shown = await ada.submit(page, '/articles/new', { ...typed, act: 'preview' });
    expectPage(
      shown,
      200,
      'Some <em>words</em>.',
      '&quot;body&quot;: &quot;# Head\\n\\nSome *words*.&quot;',
      'tags:\n  - a\n  - b\n',
    );
    await expect(record('written')).rejects.toMatchObject({ code: 'not_found' });
    const saved = await ada.submit(shown, '/articles/new', { ...typed, reason: 'new' });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/articles/org/written']);
    const article = await record('written');
    expect(article).toMatchObject({ body: '# Head\n\nSome *words*.', entry: { tags: ['a', 'b'], language: 'en' } });
    expect(article?.history).toMatchObject([{ actor: 'ada', reason: 'new', toState: 'draft' }]);
    expect((await ada.submit(shown, '/articles/new', { ...typed, title: 'Other' })).text).toContain(
      'There is an article written on org already.',
    );
  });

  test('has a preview without a name, and shows the name that it makes from the title before it is stored', async () => {
    const page = await ada.get('/articles/new');
    const typed = fields({ site: 'org', slug: '', title: 'Пуск & откат' });
    expectPage(await ada.submit(page, '/articles/new', { ...typed, act: 'preview' }), 200, 'As Markdown');
    const asked = await ada.submit(page, '/articles/new', typed);
    expectPage(asked, 422, 'Check it, then save again.', 'value="pusk-otkat"');
    await expect(record('pusk-otkat')).rejects.toMatchObject({ code: 'not_found' });
    const saved = await ada.submit(asked, '/articles/new', { ...typed, slug: 'pusk-otkat' });
    expect(saved.headers.get('location')).toBe('/articles/org/pusk-otkat');
  });

  test('refuses the lost update of a colleague, and says who gave the article another state', async () => {
    await put('both', { publish: true });
    const [hers, his] = await Promise.all([ada.get('/articles/org/both/edit'), ben.get('/articles/org/both/edit')]);
    expect((await ada.submit(hers, '/articles/org/both/edit', fields())).status).toBe(303);
    const late = await ben.submit(his, '/articles/org/both/edit', fields({ body: 'His own.' }));
    expect(late.text).toContain('Revision 1 was expected, but it has revision 2; read it again.');
    expectWords(late.text, 'What changed meanwhile stands below the form.', 'His own.</textarea>');
    // The page shows what changed meanwhile, and the form can be sent again.
    expect(late.text).toMatch(/<ins># Head/);
    expect((await ben.submit(late, '/articles/org/both/edit', fields({ body: 'His own.' }))).status).toBe(303);
    expect(await record('both')).toMatchObject({ body: 'His own.', entry: { revision: 3 } });
    const open = await ada.get('/articles/org/both/edit');
    await ben.fillIn('/articles/org/both/archive', { reason: '' });
    const archived = await ada.submit(open, '/articles/org/both/edit', fields());
    expectPage(archived, 422, '<bdi>ben</bdi> archived this meanwhile; readers do not see it.');
    expect(archived.text).not.toContain('They do not differ.');
  });
});

describe('the next revision of an article', () => {
  const path = '/articles/org/next';

  test('is written, compared and published, and readers see nothing before', async () => {
    await put('next', { publish: true, body: 'Nine weeks.' });
    const first = await ada.get(`${path}/next`);
    expect(first.text).not.toContain('next/publish');
    const his = await ben.get(`${path}/next`);
    const ten = fields({ body: 'Ten weeks.', reason: 'I <asked> again' });
    expect((await ada.submit(first, `${path}/next`, ten)).status).toBe(303);
    expect(await record('next')).toMatchObject({ body: 'Nine weeks.', draft: { authors: ['ada'], baseRevision: 1 } });
    expect((await ada.get('/record?subject=article_draft')).text).toContain('I &lt;asked&gt; again');
    const hers = await ada.get(`${path}/next`);
    const typed = fields({ body: 'Ten months.' });
    const refused = await ben.submit(his, `${path}/next`, typed);
    expectPage(refused, 422, 'revision 1 now, last saved by ada;');
    // The page shows what his text would change in her draft, and the form can be sent again.
    expectWords(refused.text, 'Ten <del>weeks</del>.', 'Ten <ins>months</ins>.', 'Ten months.</textarea>');
    expect((await ben.submit(refused, `${path}/next`, typed)).status).toBe(303);
    const again = await ada.submit(hers, `${path}/next`, fields({ body: 'Ten weeks.' }));
    expect(again.text).toContain('revision 2 now, last saved by ben; you opened the draft&#39;s revision 1.');
    expect((await ada.submit(again, `${path}/next`, fields({ body: 'Ten weeks.' }))).status).toBe(303);

    const saved = await ada.get(`${path}/next`);
    expectWords(saved.text, '<del>Nine</del> weeks.', '<ins>Ten</ins> weeks.');
    expect((await ada.get('/articles?site=org&state=published')).text).toContain(`<a href="${path}/next">draft</a>`);
    for (const [wrong, kept] of [
      ['tomorrow 9:00', ['type="text"', 'value="tomorrow 9:00"']],
      ['2020-01-01', ['type="datetime-local"', 'value="2020-01-01T00:00"']],
    ] as const) {
      const form = { at: wrong, reason: '<typed>' };
      const refused = await ada.submit(saved, `${path}/next/publish`, form);
      expectPage(refused, 422, 'id="at-fault">When', 'value="&lt;typed&gt;"');
      const [input] = /<input [^>]*name="at"[^>]*>/.exec(refused.text) ?? [];
      for (const attribute of kept) expect(input).toContain(attribute);
    }
    const at = await ada.submit(saved, `${path}/next/publish`, { at: '2099-01-01T00:00', reason: '' });
    expect(at.status).toBe(303);
    const scheduled = await ben.get(`${path}/next`);
    expect(scheduled.text).toMatch(/It appears on <time[^>]*>1 January 2099/);
    expect((await ben.submit(scheduled, `${path}/next/unschedule`)).status).toBe(303);
    expectPage(await ada.submit(saved, `${path}/next/publish`, { at: '', reason: '' }), 409, 'was expected');
    const now = await ada.submit(await ada.get(`${path}/next`), `${path}/next/publish`, { at: '', reason: 'counted' });
    expect(now.headers.get('location')).toBe(path);
    expect(await record('next')).toMatchObject({ body: 'Ten weeks.', draft: undefined, entry: { revision: 2 } });
  });

  test('brings in a correction, whose words stand beside the form, and names its inquiry in the log', async () => {
    await put('corrected', { publish: true, body: 'Nine weeks.' });
    const words = 'It took ten weeks, <b>not</b> nine.';
    const inquiry = { type: 'inquiry', purpose: 'correction', about: '/articles/corrected?site=org', body: words };
    const token = await system.issueToken(freshEmail());
    const { id } = (await contribute(system, token, inquiry)).json.contribution;
    const eve = await desk.signIn('eve', 'editor', 'moderator');
    // The check of a text, a moment after it was sent, adds by what it is found.
    await until('the correction in the queue', async () =>
      (await eve.get('/queue?type=correction')).text.includes(`data-item="${id}"`),
    );
    expect((await eve.get('/queue?type=report')).text).not.toContain(`data-item="${id}"`);
    const link = `/articles/org/corrected/next?inquiry=${id}`;
    expect((await eve.get(`/queue/${id}`)).text).toContain(`href="${link}"`);
    const page = await eve.get(link);
    expect(page.text).toContain('It took ten weeks, &lt;b&gt;not&lt;/b&gt; nine.</blockquote>');
    const saved = await eve.submit(page, link, fields({ body: 'Ten weeks.' }));
    expect([saved.status, saved.headers.get('location')]).toEqual([303, link]);
    expect(await record('corrected')).toMatchObject({ body: 'Nine weeks.', draft: { authors: ['eve'] } });
    expect((await eve.get(`/articles/org/next/next?inquiry=${id}`)).status).toBe(400);
    expect((await ada.get(link)).status).toBe(403);
    expect(page.text).toContain('Readers go on reading revision 1');
    await archiveArticle(system, 'corrected');
    expect((await eve.get(link)).text).toContain('Readers do not find this article now: it is archived.');
  });

  test('says that the article changed, is saved on the new revision, and is discarded after a question', async () => {
    await put('moved', { publish: true });
    const own = '/articles/org/moved/next';
    await ada.fillIn(own, fields());
    await put('moved', { body: 'Changed meanwhile.' });
    const page = await ada.get(own);
    expect(page.text).toContain('based on revision 1, but the article has revision 2 now');
    expect(page.text).not.toContain(`action="${own}/publish"`);
    await ada.submit(page, own, fields({ title: 'Brought along' }));
    expect((await record('moved'))?.draft).toMatchObject({ baseRevision: 2 });
    expect((await ada.fillIn(`${own}/discard`, { reason: '' })).status).toBe(303);
    expect((await record('moved'))?.draft).toBeUndefined();
  });
});

describe('a scheduled next revision', () => {
  const path = '/articles/org/timed';
  const loss = 'ada scheduled its next revision for 2099-01-01 00:00 UTC. If you change the article now';
  const schedule = async () => {
    const page = await ada.get(`${path}/next`);
    await ada.submit(page, `${path}/next`, fields({ body: `Later, ${page.text.length}.` }));
    const at = { at: '2099-01-01', reason: '' };
    expect((await ada.submit(await ada.get(`${path}/next`), `${path}/next/publish`, at)).status).toBe(303);
  };

  test('is named before every change that takes its time, and afterwards on the pages that editors open', async () => {
    await put('timed', { publish: true, body: 'One.' });
    const early = await ben.get(`${path}/edit`);
    await schedule();
    // Who opened the form before learns it when they send it, and can send it again.
    const told = await ben.submit(early, `${path}/edit`, fields({ body: 'Two.' }));
    expectPage(told, 422, loss);
    expect((await record('timed'))?.draft?.publishAt).toEqual(new Date('2099-01-01'));
    for (const page of ['edit', 'archive', 'return', 'restore?revision=1']) {
      expect((await ben.get(`${path}/${page}`)).text, page).toContain(loss);
    }
    const preview = await ben.submit(told, `${path}/edit`, fields({ body: 'Two.', act: 'preview' }));
    expect(preview.text).toContain(loss);
    expect((await ben.get('/')).text).not.toContain('lost their time');
    expect((await ben.submit(preview, `${path}/edit`, fields({ body: 'Two.' }))).status).toBe(303);
    expect(await record('timed')).toMatchObject({ body: 'Two.', draft: { publishAt: undefined } });
    const missed = /It was to appear at <time[^>]*>1 January 2099[^<]*<\/time>, but <bdi>ben changed the article first/;
    for (const page of ['/', path, `${path}/next`]) expect((await ada.get(page)).text, page).toMatch(missed);
    expect((await ada.get(path)).text).not.toContain('which appears');
    expect((await ada.get('/articles?missed=yes')).text).toMatch(/draft, missed <time[^>]*>1 January 2099/);
    expect((await (await desk.signIn('mia', 'moderator')).get('/')).text).not.toContain('lost their time');
  });

  test('is not overwritten by files, unless the editor says so', async () => {
    await schedule();
    const page = await ada.get('/articles/files');
    const send = async (more: object) => {
      const text = '---\ntitle: T\nslug: timed\nsite: org\n---\nFrom a file.\n';
      const file = new File([text], 'timed.md');
      return (await ada.upload(page, '/articles/files', { act: 'import', site: '', reason: '', ...more }, [file])).text;
    };
    expect(await send({})).toContain(`not overwritten: ${loss}`);
    expect((await record('timed'))?.draft?.publishAt).toEqual(new Date('2099-01-01'));
    expect(await send({ overwrite: 'yes' })).toContain('updated');
    expect((await record('timed'))?.draft).toMatchObject({ missedAt: new Date('2099-01-01') });
  });
});

test('the list finds articles by words, tag and state, sorts them, and exports what it shows', async () => {
  await put('zebra-crossing', { title: 'Zebras cross', tags: ['animals'] });
  await put('ant-hills', { title: 'ants & hills of the zebra', tags: ['animals'], publish: true });
  const titles = async (query: string) =>
    [...(await ada.get(`/articles?${query}`)).text.matchAll(/<td><a href="[^"]+"><bdi>([^<]*)/g)].map(
      ([, title]) => title,
    );
  expect(await titles('words=ZEBRA')).toEqual(['ants &amp; hills of the zebra', 'Zebras cross']);
  expect(await titles('words=zebra+cross&tag=animals')).toEqual(['Zebras cross']);
  expect(await titles('tag=animals&order=title&state=published')).toEqual(['ants &amp; hills of the zebra']);
  expect(await titles('words=zebra-&order=title')).toEqual(['Zebras cross']);
  expect((await ada.get('/articles?words=quagga')).text).toContain('There are no such articles.');
  const [, path = ''] = /href="([^"]+zip[^"]*)"/.exec((await ada.get('/articles?words=zebra&state=draft')).text) ?? [];
  const zip = (await ada.get(path.replaceAll('&amp;', '&'))).text;
  expect([zip.includes('org/zebra-crossing.md'), zip.includes('org/ant-hills.md')]).toEqual([true, false]);
});

test('the history compares any two revisions and restores one', async () => {
  await put('old', { title: 'First', body: 'One\n\ntwo' });
  await put('old', { title: 'Second', body: 'One\n\nthree' });
  await put('old', { title: 'Third', body: 'One\n\nthree' });
  const history = await ada.get('/articles/org/old/history');
  expect(history.text).toContain('<td>title</td>');
  expect(history.text.match(/aria-label="Restore revision \d/g)).toHaveLength(2);
  expect(history.text).not.toContain('restore?revision=3');
  const { text } = await ada.get('/articles/org/old/difference?from=1&to=3');
  expectWords(text, '<del>First</del>', '<ins>three</ins>');
  expect((await ada.get('/articles/org/old/difference?from=1&to=9')).status).toBe(404);
  const question = await ada.get('/articles/org/old/restore?revision=1');
  await put('old', { title: 'Meanwhile' });
  // What was typed comes back, and can be sent again for what is there now.
  const late = await ada.submit(question, '/articles/org/old/restore', { reason: 'so <typed>' });
  expectPage(late, 409, 'Revision 3 was expected, but it has revision 4;', 'value="so &lt;typed&gt;"');
  expect(late.text).toContain('<a href="/articles/org/old/history">See it as it is now</a>');
  expect((await ada.submit(late, '/articles/org/old/restore', { reason: 'right' })).status).toBe(303);
  expect(await record('old')).toMatchObject({ entry: { title: 'First', revision: 5 }, body: 'One\n\ntwo' });
});

test('an article is published, archived, returned and deleted, each after a question', async () => {
  await put('states');
  for (const [page, state] of [
    ['publish', 'published'],
    ['archive', 'archived'],
    ['return', 'draft'],
    ['delete', undefined],
  ] as const) {
    const question = await ada.get(`/articles/org/states/${page}`);
    const done = await ada.submit(question, `/articles/org/states/${page}`, { reason: `to ${page}` });
    expect(done.status, page).toBe(303);
    if (state === undefined) continue;
    const last = (await record('states'))?.history.at(-1);
    expect(last).toMatchObject({ toState: state, actor: 'ada', reason: `to ${page}` });
  }
  expect((await ada.get('/articles/org/states')).status).toBe(404);
  const file = await ada.get('/articles/org/old/export.md');
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="old.md"');
  expect(file.text).toContain('revision: 5\n---\n\nOne\n\ntwo\n');
});

test('no text of an article changes the page around it, and other roles get nothing', async () => {
  const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`;
  const body = `${evil}\n\n\`\`\`\n</textarea></pre>\n\`\`\`\n[x](javascript:alert(1)) ${'x'.repeat(8000)}`;
  await put('evil', { title: evil, summary: evil, author: evil, body, publish: true, reason: evil });
  await put('evil', { title: `${evil}2`, summary: '', body: `${body}\n${evil}` });
  await ada.fillIn('/articles/org/evil/next', fields({ title: evil, body }));
  const pages = 'edit next history difference?from=1&to=2 restore?revision=1 archive next/discard';
  const own = ['', ...pages.split(' ').map((each) => `/${each}`)];
  const support = await desk.signIn('eve', 'support');
  for (const path of ['/articles', ...own.map((each) => `/articles/org/evil${each}`)]) {
    const { status, text } = await ada.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text, path).not.toMatch(/<script>|<img|javascript:alert\(1\)"|<\/textarea><\/pre>/);
    expect(text.match(/<\/main>/g), path).toHaveLength(1);
    expect((await support.get(path)).status, path).toBe(403);
  }
  const sent = { ...fields({ title: evil, summary: evil, body }), act: 'preview' };
  const preview = await ada.fillIn('/articles/org/evil/edit', sent);
  expect(preview.text).not.toMatch(/<script>|<img|<\/textarea><\/pre>/);
});

test('a reader is offered no change, and no form that would be refused', async () => {
  const reader = await desk.signIn('rea', 'reader');
  await put('read-only', { publish: true });
  const own = '/articles/org/read-only';
  await ada.fillIn(`${own}/next`, fields());
  const pages = ['', '/highlights/org', '/objects', '/files', '/org/read-only', '/org/read-only/history'];
  for (const path of [...pages.map((each) => `/articles${each}`), `${own}/next`, '/prompts', '/prompts/gaps']) {
    const { status, text } = await reader.get(path);
    expect([path, status]).toEqual([path, 200]);
    const main = text.slice(text.indexOf('<main'));
    expect(main, path).not.toMatch(/method="post"|\/(new|edit|archive|return|restore|discard)["?]/);
  }
  for (const path of ['/articles/new', `${own}/edit`, `${own}/archive`, '/articles/objects/new', '/prompts/new']) {
    const { status, text } = await reader.get(path);
    expect([path, status]).toEqual([path, 403]);
    expect(text).toContain('Your role may not do this. These roles may: ');
  }
  expect((await ada.get(own)).text).toContain(`href="${own}/archive"`);
});
