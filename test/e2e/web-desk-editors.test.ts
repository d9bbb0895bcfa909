import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ArticleState, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { PublishObjectRequest, type PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { expect, test } from 'vitest';
import { articleOf, putBare } from '../harness/articles.js';
import { expectPage, expectWords } from '../harness/http.js';
import { ownSystem, ownWebDesk } from '../harness/own.js';
import { asTester } from '../harness/system.js';

const system = await ownSystem();
const desk = await ownWebDesk(system);
const ada = await desk.signIn('ada', 'editor');
const ben = await desk.signIn('ben', 'editor');

const put = (slug: string, part: Partial<PutArticleRequest> = {}) =>
  putBare(system, slug, { title: `Title of ${slug}`, publish: true, ...part });
const record = (slug: string) => articleOf(system, slug);

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
  expectPage(refused, 422, 'No published article of org is draft');
  await put('four', { title: 'Four / CI weeks, in a rather long title of more than eight words' });
  for (const typed of ['ci WEEKS', 'FOUR / ci weeks, in a rather long title of more than eight words']) {
    const found = await ada.submit(first, path, { act: 'add', added: typed });
    expect(found.text.match(/name="note-[^"]+/g), typed).toEqual(['name="note-four']);
  }
  expectPage(await ada.submit(first, path, { act: 'add', added: 'o' }), 422, 'These published articles fit o: ');

  const lines = { 'note-one': '', 'note-2026': 'why <2026>' };
  const added = await ada.submit(first, path, { act: 'add', added: 'https://org.example/articles/two', ...lines });
  expect(added.text).toContain('This list is not saved yet.');
  expect(added.text.match(/name="note-[^"]+/g)).toEqual(['name="note-two', 'name="note-one', 'name="note-2026']);
  const moved = await ada.submit(added, path, { act: 'down:two', 'note-two': '', ...lines });
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
  expectPage(late, 422, '<bdi>ada</bdi> saved another list meanwhile', 'with its note: <q>why &lt;2026&gt;</q>');
  expect(await shown()).toEqual([['2026', 'why <2026>']]);
  expect((await ben.submit(late, path, { act: 'save', 'note-one': 'his', 'note-two': '' })).status).toBe(303);
  expect(await shown()).toEqual([
    ['one', 'his'],
    ['two', ''],
  ]);
});

test('objects are written with a preview, changed, and withdrawn after a question', async () => {
  const path = '/articles/objects';
  const typed = {
    title: 'Twelve <questions>',
    summary: '',
    author: 'Ada',
    language: 'en',
    published_at: '',
    reason: 'asked',
  };
  const fields = { site: 'org', ...typed, body: '# Why\r\n\r\nBecause.', act: 'save' };
  const empty = await ada.get(`${path}/new`);
  const shown = await ada.submit(empty, `${path}/new`, { ...fields, act: 'preview' });
  expect(shown.text).toContain('kind: knowledge\nsite: org\ntitle: Twelve &lt;questions&gt;');
  const refused = await ada.submit(shown, `${path}/new`, { ...fields, title: '', language: 'no such' });
  expectWords(refused.text, '<p class="fault" id="title-fault">Title is required.</p>', '# Why\n\nBecause.</textarea>');
  const saved = await ada.submit(refused, `${path}/new`, fields);
  const own = saved.headers.get('location') ?? '';
  // The form names its object, so sending it a second time makes no other one.
  expect((await ada.submit(refused, `${path}/new`, fields)).headers.get('location')).toBe(own);
  expect((await ada.get(`${path}?site=org&kind=knowledge`)).text.match(new RegExp(`href="${own}"`, 'g'))).toHaveLength(
    1,
  );
  expect((await ada.get(own)).text).toContain('<bdi>Ada</bdi>');

  const [hers, his] = await Promise.all([ada.get(`${own}/edit`), ben.get(`${own}/edit`)]);
  expect((await ada.submit(hers, `${own}/edit`, { ...fields, body: 'Hers.' })).status).toBe(303);
  const late = await ben.submit(his, `${own}/edit`, { ...fields, body: 'His.' });
  expectPage(late, 422, 'Somebody changed the object meanwhile', '<p>Hers.</p>');
  expect((await ben.submit(late, `${own}/edit`, { ...fields, body: 'His.' })).status).toBe(303);
  const question = await ada.get(`${own}/withdraw`);
  expect(question.text).toMatch(/<pre tabindex="0">---\nid: [^<]*\n\nHis\.\n<\/pre>/);
  expect((await ada.submit(question, `${own}/withdraw`, { reason: 'superseded' })).status).toBe(303);
  expect((await ada.get(own)).status).toBe(404);
  const gone = await ben.submit(his, `${own}/edit`, { ...fields, body: 'His.' });
  expect(gone.text).toContain('Somebody withdrew the object meanwhile.');
});

test('the object of a contribution is shown, and refused to editors', async () => {
  const id = randomUUID();
  const facts = { kind: ObjectKind.STORY, site: Site.ORG, title: 'A story', body: 'Once.' };
  await system.clients.publication.publishObject(
    PublishObjectRequest.fromPartial({ id, revision: 1, ...facts }),
    asTester(),
  );
  const { text } = await ada.get(`/articles/objects/${id}`);
  expect(text).toContain('Moderators correct or retract it.');
  const moderator = await desk.signIn('mia', 'moderator');
  expect((await moderator.get(`/articles/objects/${id}`)).text).toContain(`<a href="/queue/${id}">Moderators correct`);
  expect((await ada.get(`/articles/objects/${id}/edit`)).status).toBe(409);
});

test('article files come in with a result for each, and go out as the import reads them', async () => {
  const path = '/articles/files';
  const page = await ada.get(path);
  const file = (name: string, slug: string, more = '') =>
    new File([`---\ntitle: From ${name}\nslug: ${slug}\n${more}---\n\nText of ${slug}.\n`], name);
  await put('there', { publish: false });
  const files = [
    file('new.md', 'from-file'),
    file('old.md', 'there', 'revision: 9\n'),
    new File(['no fields'], '<b>.md'),
    new File(['x'.repeat(300_001)], 'large.md'),
    file('io.md', 'from-file', 'site: io\n'),
    new File(['+++\ndraft = true\ntags = ["SSO"]\n+++\n# Not yet\n\n[[a]]\n'], 'hugo-draft.md'),
    new File(['+++\n+++\n'], '_index.md'),
  ];
  const fields = { site: 'org', publish: 'yes', reason: 'moved', act: 'check' };
  expectPage(await ada.upload(page, path, fields, files), 200, '7 files: 3 new, 3 refused, 1 left out.');
  await expect(record('from-file')).rejects.toMatchObject({ code: 'not_found' });
  const { text } = await ada.upload(page, path, { ...fields, act: 'import' }, files);
  expect(text).toContain('<a href="/articles/org/from-file">org/from-file</a>');
  expect(text).toContain('<a href="/articles/io/from-file">io/from-file</a>');
  expect(text).toMatch(/&lt;b&gt;\.md<\/bdi><\/td><td><span class="state">refused<\/span>.*has no front matter/);
  expectWords(text, 'not overwritten: it was exported at revision 9, but has revision 1 now', 'is larger than 300 kB');
  expectWords(text, 'not published: it has draft true', '<li>1 file: tags mapped</li>');
  const stored = await record('from-file');
  expect(stored).toMatchObject({ state: ArticleState.PUBLISHED, history: [{ actor: 'ada', reason: 'moved' }] });
  const replacing = [file('newer.md', 'from-file'), file('path.md', 'a/there')];
  const { text: replaced } = await ada.upload(page, path, { ...fields, act: 'import' }, replacing);
  expectWords(replaced, 'replaces a published article: org/from-file, “From new.md”', 'its slug a/there leads to');

  const zip = await ada.get(`${path}/articles.zip?site=io&state=published`);
  expect(zip.headers.get('content-type')).toBe('application/zip');
  expect(zip.text).toMatch(/^PK.*io\/from-file\.md---\ntitle: From io\.md\nslug: from-file\nsite: io\n/s);
  expect(zip.text).not.toContain('org/');
  const archive = await ada.upload(page, path, fields, [new File([zip.text, 'x'.repeat(300_001)], 'articles.zip')]);
  expect(archive.text).toContain('is a ZIP archive; unpack it and choose its files');

  const many = Array.from({ length: 201 }, (_, at) => new File(['x'], `${at}.md`));
  expect((await ada.upload(page, path, fields, many)).status).toBe(413);
  expect((await ada.upload(page, path, fields, [new File(['x'.repeat(9e6)], 'a.md')])).status).toBe(413);
  expect((await ada.upload(page, path, { ...fields, _csrf: 'wrong' }, files)).status).toBe(403);
  expect((await ada.upload(page, path, fields, [])).text).toContain('Choose the files first.');
  const reader = await desk.signIn('eve', 'support');
  const shown = await reader.get(path);
  expect(shown.text).not.toContain('type="file"');
  // The service refuses a form that the page does not offer.
  const forged = { ...shown, text: shown.text.replace('action="/sign-out"', `action="${path}"`) };
  expect((await reader.upload(forged, path, { ...fields, act: 'import' }, files)).status).toBe(403);
  expect((await reader.get(`${path}/articles.zip`)).status).toBe(403);
});

test('editors keep the words for search: synonyms, and glosses of texts in other languages', async () => {
  const path = '/articles/words';
  const fields = { id: 'sso', words: 'SSO\r\nSingle Sign-On', from: '', reason: 'asked' };
  const [page, his] = await Promise.all([ada.get(path), ben.get(path)]);
  const refused = await ada.submit(page, path, { ...fields, words: 'SSO\r\nsso' });
  expectPage(refused, 422, 'in line 2 names a word of the group');
  expect((await ada.submit(refused, path, fields)).status).toBe(303);
  const late = await ben.submit(his, path, { ...fields, words: 'SSO\r\nlogin' });
  expect(late.text).toContain('There is a group sso, last changed by ada: SSO, Single Sign-On.');
  expect((await ben.submit(late, path, { ...fields, words: 'SSO\r\nlogin' })).status).toBe(303);
  expect((await ada.get(`${path}?word=LOGIN`)).text).toContain('<bdi>SSO, login</bdi>');
  const question = await ada.get(`${path}/delete?id=sso`);
  expect((await ada.submit(question, `${path}/delete`, { reason: 'wrong' })).status).toBe(303);
  expect((await ada.get(path)).text).toContain('There are no such groups.');

  await put('dyzury', { title: 'Dy\u017cury', body: 'Tekst.', language: 'pl' });
  const own = `${path}/gloss?site=org&text=dyzury`;
  const first = await ada.get(own);
  expect(first.text).toContain('It has no gloss yet.');
  const gloss = { title: 'On-call duty', summary: 'In a plant.', reason: '' };
  const wrong = await ada.submit(first, `${path}/gloss`, { ...gloss, title: '' });
  expectPage(wrong, 422, 'In a plant.</textarea>');
  expect((await ada.submit(first, `${path}/gloss`, gloss)).headers.get('location')).toBe(own);
  await put('dyzury', { title: 'Dy\u017cury', body: 'Tekst nowy.', language: 'pl' });
  const outdated = await ada.get(own);
  expectWords(outdated.text, 'value="On-call duty"', 'The gloss is of revision 1, and the text has revision 2 now.');
  const removal = await ada.get(`${path}/gloss/remove?site=org&text=dyzury`);
  expect(removal.text).toContain('On-call duty');
  expect((await ada.submit(removal, `${path}/gloss/remove`, { reason: 'wrong' })).headers.get('location')).toBe(own);
  expect((await ada.get(own)).text).toContain('It has no gloss yet.');
  expect((await ada.get(`${path}/gloss?site=org&text=none`)).status).toBe(404);
});
