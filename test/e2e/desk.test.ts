import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContributionType } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { ownFolder } from '@knowledge/runtime/testing';
import { describe, expect, test } from 'vitest';
import { putArticle } from '../harness/articles.js';
import { deskOf } from '../harness/desk.js';
import { expectWords } from '../harness/http.js';
import { ownSystem } from '../harness/own.js';
import { asTester } from '../harness/system.js';
import { until } from '../harness/until.js';

const system = await ownSystem();
const desk = deskOf(system);
const directory = ownFolder();
/** What is refused because of the command itself, and because of the state of the thing. */
const usage = { code: 2, error: 'usage' };
const invalidState = { code: 1, error: 'invalid_state' };

interface Thing {
  id: string;
  slug: string;
  state: string;
  held?: { decision: string; reason: string | null; text: string | null } | null;
  [field: string]: unknown;
}

const put = (name: string, text: string): string => {
  const files = mkdtempSync(join(directory, `${name}-`));
  writeFileSync(join(files, `${name}.md`), text);
  return files;
};
/** Imports one article of this name, with these fields. */
const importOne = (name: string, fields: string, ...flags: string[]) =>
  desk.json('article', 'import', put(name, `---\n${fields}\n---\ntext`), ...flags);

async function submit(type: ContributionType, email: string): Promise<string> {
  const id = randomUUID();
  const contributor = {
    email,
    tokenId: randomUUID(),
    scopes: ['write:story', 'write:inquiry', 'write:prompt_reply'],
    agentName: 'agent',
    authorizationId: randomUUID(),
  };
  const title = type === ContributionType.STORY ? `Story ${id}` : undefined;
  const text = { type, site: Site.ORG, title, body: `What we did: ${id}` };
  const request = { contributor, id, ...text, payloadHash: randomBytes(32) };
  await system.clients.contributions.submitContribution(request, asTester());
  return id;
}

describe('the desk: articles', () => {
  test('imports, lists, shows, publishes, archives and exports articles, and imports the export unchanged', async () => {
    const fields = 'title: First\nslug: desk-first\ntags: a, b\npublished_at: 2026-02-03';
    const files = put('first', `---\n${fields}\n---\n\n# One\n`);
    writeFileSync(join(files, 'second.md'), '---\r\ntitle: "Zweiter: ü"\r\nslug: desk-second\r\n---\r\nZwei\r\n');
    writeFileSync(join(files, 'broken.md'), '---\ntitle: [Broken]\n---\ntext');
    writeFileSync(join(files, 'notes.txt'), 'not for us');

    const line = ['article', 'import', files, '--site', 'org'];
    const first = await desk.run(...line, '--json');
    expect(first.code).toBe(1);
    // If one file is invalid, the desk imports none and names every invalid file.
    const failed = [{ file: 'broken.md', problem: 'title: must be text' }];
    expect(JSON.parse(first.stdout)).toEqual({ imported: 0, created: 0, unchanged: 0, failed });
    expect(await desk.json('article', 'list', '--site', 'org', '--state', 'draft')).toEqual([]);
    rmSync(join(files, 'broken.md'));
    const dry = await desk.json(...line, '--publish', '--dry-run');
    expect(dry).toEqual({ imported: 2, created: 2, unchanged: 0, failed: [], dry_run: true });
    expect(await desk.json('article', 'list', '--site', 'org')).toEqual([]);
    await desk.json(...line, '--reason', 'the first ones');
    expect(await desk.json(...line, '--publish')).toMatchObject({ imported: 2, created: 0 });
    expect(await desk.json(...line, '--publish')).toEqual({ imported: 0, created: 0, unchanged: 2, failed: [] });

    const listed = await desk.json<Thing[]>('article', 'list', '--site', 'org', '--state', 'published');
    expect(listed.map(({ slug }) => slug).sort()).toEqual(['desk-first', 'desk-second']);
    expect(await desk.json('article', 'show', 'desk-first')).toMatchObject({
      slug: 'desk-first',
      site: 'org',
      state: 'published',
      tags: ['a', 'b'],
      published_at: '2026-02-03T00:00:00Z',
      body: '# One',
      history: [
        { to_state: 'draft', actor: 'desk:test' },
        { from_state: 'draft', to_state: 'published' },
      ],
    });

    expect(await desk.refused('article', 'archive', 'desk-first@1')).toMatchObject({ error: 'invalid_state' });
    for (const [move, state] of [
      ['archive', 'archived'],
      ['draft', 'draft'],
      ['publish', 'published'],
    ] as const) {
      const moved = await desk.json('article', move, 'desk-first', '--reason', 'a test');
      expect(moved).toMatchObject({ slug: 'desk-first', state });
    }
    expect(await desk.refused('article', 'archive', 'desk-nothing')).toMatchObject({ code: 1, error: 'not_found' });

    const target = join(directory, 'export');
    expect(await desk.json('article', 'export', target)).toEqual({ exported: 2 });
    expect(readFileSync(join(target, 'org', 'desk-second.md'), 'utf8')).toBe(
      "---\ntitle: 'Zweiter: ü'\nslug: desk-second\nsite: org\nlanguage: en\n" +
        `published_at: '${listed.find(({ slug }) => slug === 'desk-second')?.['published_at']}'\nrevision: 2\n---\n\nZwei\n`,
    );
    expect(await desk.json('article', 'import', target)).toMatchObject({ imported: 0, unchanged: 2 });

    // Two editors change the same export. The second import does not overwrite the first.
    const exported = join(target, 'org', 'desk-second.md');
    const before = readFileSync(exported, 'utf8');
    writeFileSync(exported, `${before}by Ada\n`);
    expect(await desk.json('article', 'import', target)).toMatchObject({ imported: 1, unchanged: 1 });
    writeFileSync(exported, `${before}by Bob\n`);
    const late = await desk.run('article', 'import', target);
    expect(late.code).toBe(1);
    expect(late.stdout).toMatch(
      /org\/desk-second\.md: not overwritten: it was exported at revision 2, but has revision 3 now, changed by desk:test at .*--overwrite/,
    );
    expect(await desk.json('article', 'import', target, '--overwrite')).toMatchObject({ imported: 1 });
    // An export from another system has revisions of that system, which must not count here.
    writeFileSync(exported, before.replace('slug: desk-second', 'slug: desk-elsewhere'));
    expect(await desk.json('article', 'import', target)).toMatchObject({ imported: 1, unchanged: 1 });
  });

  test('schedules an article with a future date, and deletes a draft', async () => {
    const text = '---\ntitle: Later\nslug: desk-later\npublished_at: 2099-01-01\nsite: io\n---\n\ntext\n';
    const later = await desk.run('article', 'import', put('later', text), '--schedule', '--site', 'org');
    expect(later.stderr).toContain('later.md: scheduled: readers see it from 2099-01-01 00:00 UTC');
    expect(await desk.json('article', 'show', 'desk-later')).toMatchObject({ state: 'scheduled', site: 'io' });
    expect((await fetch(`${system.url}/api/v1/content/desk-later?site=io`)).status).toBe(404);
    expect(await desk.refused('article', 'delete', 'desk-later', '--yes')).toMatchObject({ error: 'invalid_state' });
    await desk.json('article', 'draft', 'desk-later');
    expect(await desk.refused('article', 'delete', 'desk-later')).toMatchObject(usage);
    expect(await desk.json('article', 'delete', 'desk-later', '--yes')).toMatchObject({ state: 'deleted' });
    expect(await desk.refused('article', 'show', 'desk-later')).toMatchObject({ error: 'not_found' });
  });

  test('imports the files of other systems, and publishes nothing that is not public there', async () => {
    const files = put('other-draft', '---\ntitle: Hidden\npublished: false\n---\nSecret.\n');
    mkdirSync(join(files, 'bundle'));
    const hugo =
      '+++\ndate = 2005-01-02\ndescription = "D"\ncategories = ["Single sign on"]\n+++\n# Ours\n\n{{< tip >}}\n';
    writeFileSync(join(files, 'bundle/index.md'), hugo);
    writeFileSync(join(files, '_index.md'), '+++\n+++\n');
    writeFileSync(join(files, '2019-03-04-jekyll-post.markdown'), '---\ntitle: J\n---\nText.\n');
    writeFileSync(join(files, 'later-there.mdx'), '---\ntitle: L\ndate: 2099-01-01\n---\nText.\n');
    const { stdout, stderr } = await desk.run('article', 'import', files, '--site', 'io', '--publish');
    expect(stderr).toContain('; title from the first heading; slug from the file name: bundle; ');
    expectWords(stderr, 'shortcodes shown as typed: line 8', 'tags mapped: Single sign on is single-sign-on');
    expect(stdout).toMatch(
      /^4 imported \(4 new, 0 changed\), 0 unchanged, 1 left out:\n {2}_index\.md: is the page of a list/,
    );
    expect(stdout).toMatch(/\nNotes:\n(.*\n)*? {2}2 files: not published\n/);
    const shown = (slug: string) => desk.json<Thing>('article', 'show', slug, '--site', 'io');
    expect(await shown('bundle')).toMatchObject({
      ...{ title: 'Ours', summary: 'D', tags: ['single-sign-on'], state: 'published', body: '{{< tip >}}' },
      published_at: '2005-01-02T00:00:00Z',
    });
    expect(await shown('jekyll-post')).toMatchObject({ published_at: '2019-03-04T00:00:00Z' });
    for (const slug of ['other-draft', 'later-there']) expect(await shown(slug)).toMatchObject({ state: 'draft' });
    // Its text would be public as soon as it is changed.
    await desk.json('article', 'publish', 'other-draft', '--site', 'io');
    writeFileSync(join(files, 'other-draft.md'), '---\ntitle: Hidden\npublished: false\n---\nMore secrets.\n');
    const again = await desk.run('article', 'import', files, '--site', 'io', '--publish', '--json');
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stdout)).toMatchObject({ imported: 0, failed: [{ file: 'other-draft.md' }] });
  });

  test('replaces a published article only by a slug of the file, and says so', async () => {
    await importOne('live', 'title: Live\nslug: desk-live', '--site', 'io', '--publish');
    const files = put('other', '---\ntitle: Other\nslug: archive/2024/desk-live\n---\nOther.\n');
    const run = (...more: string[]) => desk.run('article', 'import', files, '--site', 'io', ...more);
    expect((await run()).stdout).toContain(
      'other.md: not overwritten: its slug archive/2024/desk-live leads to an article that is here already: io/desk-live, “Live”; ' +
        'if it is that one, write slug: desk-live in the file, or choose to overwrite (in the terminal: --overwrite)\nNothing was',
    );
    renameSync(join(files, 'other.md'), join(files, 'Desk Live.md'));
    writeFileSync(join(files, 'Desk Live.md'), '---\ntitle: Other\n---\nOther.\n');
    writeFileSync(join(files, 'fresh.md'), '---\ntitle: Fresh\n---\nFresh.\n');
    expect((await run('--dry-run')).stdout).toContain('its file name Desk Live leads to an article');
    const notes = /^2 would be imported \(1 new, 1 changed\), .*\n {2}1 file: replaces a published article\n/s;
    expect((await run('--dry-run', '--overwrite')).stdout).toMatch(notes);
    // Under the same title it is the same article.
    writeFileSync(join(files, 'Desk Live.md'), '---\ntitle: Live\n---\nMore.\n');
    const { stdout, stderr } = await run();
    expect(stdout).toMatch(/^2 imported \(1 new, 1 changed\), .*replaces a published article\n/s);
    expect(stderr).toContain('Desk Live.md: replaces a published article: io/desk-live, “Live”\n');
  });

  test('names every field that the service refuses, file by file', async () => {
    const files = put('bounds', `---\ntitle: ${'x'.repeat(201)}\nslug: Not a slug\n---\ntext`);
    const { code, stdout, stderr } = await desk.run('article', 'import', files, '--site', 'io');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^0 imported, 0 unchanged, 1 failed:\n {2}bounds\.md: validation_error: .*slug.*title/);
    expect(stderr).toBe('1 of 1 files checked\n');
    // A file that cannot be read does not hide the faults of other files.
    writeFileSync(join(files, 'broken.md'), '---\ntitle: [x\n---\ntext');
    const both = await desk.run('article', 'import', files, '--site', 'io');
    expect(both.stdout).toMatch(
      /2 failed:\n {2}bounds\.md: validation_error: .*slug.*title.*\n {2}broken\.md: is not YAML: .*\nNothing was imported because of these faults\.\n$/,
    );
  });

  test('asks for the site if both sites have the slug', async () => {
    for (const site of ['io', 'org']) await importOne('twin', 'title: Twin\nslug: desk-twin', '--site', site);
    expect(await desk.refused('article', 'publish', 'desk-twin')).toMatchObject(usage);
    expect(await desk.json('article', 'publish', 'desk-twin', '--site', 'io')).toMatchObject({ state: 'published' });
  });
});

test('the desk: highlights and knowledge objects', async () => {
  const files = put('h', '---\ntitle: H\nslug: desk-h\n---\ntext');
  writeFileSync(join(files, 'h2.md'), '---\ntitle: H2\nslug: desk-h2\n---\ntext');
  await desk.json('article', 'import', files, '--site', 'org', '--publish');
  const highlight = (...words: string[]) => desk.json('highlight', ...words, '--site', 'org');
  const expected = [
    { position: 1, slug: 'desk-h2', editor_note: '' },
    { position: 2, slug: 'desk-h', editor_note: 'Why = so' },
  ];
  expect(await highlight('set', 'desk-h2', 'desk-h', '--note', 'desk-h=Why = so')).toMatchObject(expected);
  expect(await highlight('list')).toMatchObject(expected);
  // A new order keeps the notes. The desk asks for confirmation before it removes a highlight.
  const turned = await highlight('set', 'desk-h', 'desk-h2');
  expect(turned).toMatchObject([{ slug: 'desk-h', editor_note: 'Why = so' }, { slug: 'desk-h2' }]);
  expect(await desk.refused('highlight', 'remove', 'desk-h', '--site', 'org')).toMatchObject({ code: 2 });
  expect(await highlight('remove', 'desk-h', '--yes')).toHaveLength(1);
  const second = { slug: 'desk-h2', editor_note: 'Second' };
  expect(await highlight('note', 'desk-h2', '')).toMatchObject([{ slug: 'desk-h2' }]);
  expect(await highlight('note', 'desk-h2', 'Second')).toMatchObject([second]);
  expect(await highlight('add', 'desk-h', '--at', '1')).toMatchObject([{ slug: 'desk-h' }, second]);
  const unknown = await desk.refused('highlight', 'set', '--site', 'org', 'nope', '--yes');
  expect(unknown).toMatchObject({ code: 1, error: 'validation_error' });

  const id = randomUUID();
  const objects = put('object', `---\nid: ${id}\nkind: knowledge\ntitle: A runbook\n---\n\nFirst, breathe.\n`);
  for (const imported of [1, 0]) {
    const outcome = await desk.json('object', 'import', objects, '--site', 'org');
    expect(outcome).toMatchObject({ imported, created: imported, unchanged: 1 - imported });
  }
  const read = () => fetch(`${system.url}/api/v1/objects/${id}`).then((answer) => answer.status);
  expect(await read()).toBe(200);
  expect(await desk.json('object', 'show', id.slice(0, 13))).toMatchObject({ id, kind: 'knowledge' });
  expect(await desk.refused('object', 'withdraw', id)).toMatchObject(usage);
  expect(await desk.json('object', 'withdraw', id.slice(0, 13), '--yes')).toEqual({ id, state: 'withdrawn' });
  await until('the object to be gone', async () => (await read()) === 404);
});

describe('the desk: prompts and review', () => {
  test('one prompt is active at a time', async () => {
    const create = ['prompt', 'create', '--site', 'org', '--question', 'What did you switch off?'];
    const first = await desk.json<Thing>(...create, '--activate', '--yes');
    expect(first.state).toBe('active');
    const second = await desk.json<Thing>(...create, '--opens-at', '2099-01-01', '--closes-at', '2099-02-01');
    expect(second).toMatchObject({ state: 'scheduled', opens_at: '2099-01-01T00:00:00Z' });
    expect(await desk.json('prompt', 'activate', second.id, '--yes')).toMatchObject({ id: second.id, state: 'active' });
    const third = await desk.json<Thing>(...create, '--opens-at', '2099-01-01');
    const question = 'What did you switch on again?';
    const correct = ['prompt', 'correct', third.id.slice(0, 8), '--question', question];
    expect(await desk.json(...correct)).toMatchObject({ id: third.id, question, state: 'scheduled' });
    expect(await desk.json('prompt', 'show', third.id)).toMatchObject({ question, history: [{}, { revision: 2 }] });
    expect(await desk.json('prompt', 'list', '--site', 'org', '--state', 'closed')).toMatchObject([{ id: first.id }]);
    expect(await desk.json('prompt', 'close', second.id, '--yes')).toMatchObject({ state: 'closed' });
  });

  test('moderators list, show and decide, and get clear errors for impossible decisions', async () => {
    const story = await submit(ContributionType.STORY, 'desk-mia@example.org');
    const advertisement = await submit(ContributionType.STORY, 'desk-mia@example.org');
    const inquiry = await submit(ContributionType.INQUIRY, 'desk-mia@example.org');
    const waiting = await desk.json<Thing[]>('review', 'list', '--state', 'pending_review');
    expect(waiting.map(({ id }) => id)).toEqual([story, advertisement, inquiry]);

    const published = { id: story, state: 'published' };
    expect(await desk.json('review', 'approve', story, '--publish', '--yes')).toMatchObject(published);
    expect(await desk.refused('review', 'approve', story)).toMatchObject(invalidState);
    await until('the story in the catalog', async () => (await fetch(`${system.url}/api/v1/objects/${story}`)).ok);
    expect(await desk.refused('review', 'retract', story, '--reason', 'x')).toMatchObject(usage);
    const retract = ['review', 'retract', story, '--reason', 'It names a customer.', '--yes'];
    expect(await desk.json(...retract)).toMatchObject({ state: 'retracted', reason: 'It names a customer.' });
    expect(await desk.json('review', 'publish', story, '--yes')).toMatchObject({ state: 'published' });
    const edit = ['review', 'edit', story, '--reason', 'It names a customer.'];
    const { title } = await desk.json<Thing & { title: string }>('review', 'show', story);
    const proposal = await desk.json<Thing & { proposed_edit: object }>(...edit, '--title', 'Another title', '--yes');
    expect(proposal).toMatchObject({ state: 'published', title, proposed_edit: { text: { title: 'Another title' } } });
    const { stdout } = await desk.run('review', 'show', story);
    expect(stdout).toMatch(/waits for its human: It names a customer\.\ntitle\n-.*\n\+Another title/);
    const removed = await desk.json(...edit, '--remove', title.slice(-4), '--remove-name', '--yes');
    const marked = `${title.slice(0, -4)}[removed by a moderator]`;
    expect(removed).toMatchObject({ name: null, title: marked, proposed_edit: null });
    expect(await desk.refused(...edit, '--name', 'Omar')).toMatchObject({ code: 2 });
    const asked = ['review', 'request-changes', advertisement, '--reason', 'Leave the prices out.', '--yes'];
    expect(await desk.json(...asked)).toMatchObject({ state: 'changes_requested', reason: 'Leave the prices out.' });

    const reject = ['review', 'reject', advertisement, '--reason', 'An ad.', '--yes'];
    expect(await desk.refused(...reject, '--revision', '9')).toMatchObject({ code: 1 });
    expect(await desk.json(...reject)).toMatchObject({ state: 'rejected' });
    const answered = await desk.json('review', 'answer', inquiry, '--text', 'See the table.', '--yes');
    expect(answered).toMatchObject({ state: 'answered', answer: 'See the table.' });
    expect(await desk.json('review', 'list')).toEqual([]);
    expect((await desk.run('review', 'list', '--email', 'nobody@example.org')).stdout).toBe('Nothing matches.\n');
    expect(await desk.refused('review', 'list', '--email', '')).toMatchObject({ code: 2 });
    expect(await desk.json('review', 'list', '--all', '--email', 'DESK-mia@example.org')).toHaveLength(3);
    // Commands accept the beginning of an id. An answer can be corrected, also from standard input.
    const answer = ['review', 'answer', inquiry.slice(0, 13), '--text', '-', '--yes'];
    const corrected = await desk.given('In the third table.\n', ...answer);
    expect(corrected).toMatchObject({ id: inquiry, state: 'answered', answer: 'In the third table.' });
    expect(await desk.refused('review', 'answer', inquiry, '--yes')).toMatchObject(usage);
    expect(await desk.refused('review', 'show', 'zz')).toMatchObject(usage);
    const shown = await desk.json<Thing[]>('review', 'show', story.slice(0, 13), inquiry);
    expect(shown.map(({ id }) => id)).toEqual([story, inquiry]);
    expect(await desk.refused('review', 'close', inquiry, '--yes')).toMatchObject(invalidState);
    expect(await desk.json<Thing>('review', 'show', story)).toMatchObject({
      id: story,
      email: 'desk-mia@example.org',
      history: expect.arrayContaining([expect.objectContaining({ to_state: 'retracted', actor: 'desk:test' })]),
    });
  });
});

test('moderators hold and undo decisions, write notes and keep reasons', async () => {
  const story = await submit(ContributionType.STORY, 'desk-held@example.org');
  const held = await desk.json<Thing>('review', 'reject', story, '--reason', 'An ad.', '--hold');
  const decision = { decision: 'reject', actor: 'desk:test', reason: 'An ad.' };
  expect(held).toMatchObject({ state: 'pending_review', held: decision });
  expect(await desk.refused('review', 'approve', story)).toMatchObject(invalidState);
  expect(await desk.json('review', 'undo', story.slice(0, 13))).toMatchObject({ state: 'pending_review', held: null });
  expect(await desk.refused('review', 'undo', story)).toMatchObject(invalidState);
  const note = { author: 'desk:test', text: 'I asked its author.' };
  expect(await desk.json('review', 'note', story, '--text', note.text)).toMatchObject({ author: note.author });
  expect(await desk.json('review', 'show', story)).toMatchObject({
    notes: [note],
    history: [{}, { to_state: 'decided', decision: 'reject', reason: 'An ad.' }, { to_state: 'undone' }],
  });
  await desk.json('review', 'reject', story, '--reason', 'An ad.', '--yes');

  const put = ['reason', 'put', 'advertisement', 'It is an advertisement.', '--for', 'reject', 'request-changes'];
  const reason = { id: 'advertisement', decisions: ['reject', 'request-changes'], order: 0 };
  expect(await desk.json(...put)).toMatchObject(reason);
  expect(await desk.json('reason', 'list', '--for', 'reject')).toMatchObject([reason]);
  expect(await desk.json('reason', 'list', '--for', 'close')).toEqual([]);
  const file = join(directory, 'reasons.yaml');
  const offTopic = '- {id: off-topic, words: Not here., for: [close]}\n';
  writeFileSync(file, `${offTopic}- {id: none, words: None., for: [approve]}\n`);
  expect(await desk.refused('reason', 'import', file)).toMatchObject(usage);
  writeFileSync(file, `- {id: advertisement, words: An ad., for: [close]}\n${offTopic}`);
  expect(await desk.json('reason', 'import', file)).toEqual({ imported: ['advertisement', 'off-topic'] });
  expect(await desk.json('reason', 'delete', 'advertisement')).toMatchObject({ state: 'deleted' });
  expect(await desk.json('reason', 'list')).toMatchObject([{ id: 'off-topic', order: 1, decisions: ['close'] }]);
});

describe('the desk: support', () => {
  test('tokens are issued, listed and revoked', async () => {
    const issue = ['token', 'issue', '--yes', '--email', 'desk-ada@example.org', '--agent', "Ada's agent"];
    const token = await desk.json<Thing>(...issue);
    expect(token).toMatchObject({
      state: 'active',
      token: expect.stringMatching(/^cks_/),
      scopes: ['write:inquiry', 'write:story', 'write:prompt_reply'],
    });
    expect(await desk.json(...issue, '--no-scopes')).toMatchObject({ scopes: [] });
    expect(await desk.json(...issue, '--scope', 'write:story')).toMatchObject({ scopes: ['write:story'] });
    expect(await desk.json('token', 'list', '--email', 'DESK-ada@example.org')).toHaveLength(3);
    expect(await desk.refused('token', 'revoke', token.id)).toMatchObject(usage);
    expect(await desk.json('token', 'revoke', token.id, '--yes')).toMatchObject({ id: token.id, state: 'revoked' });

    const list = ['authorization', 'list', '--email', 'desk-ada@example.org', '--state', 'revoked'];
    const [authorization] = await desk.json<Thing[]>(...list);
    const requestId = authorization?.id ?? '';
    expect(await desk.json('authorization', 'show', requestId.slice(0, 13))).toMatchObject({
      id: requestId,
      state: 'revoked',
      email: 'desk-ada@example.org',
      token_id: token.id,
    });
    const cancel = ['authorization', 'cancel', requestId.slice(0, 13)];
    expect(await desk.refused(...cancel)).toMatchObject(usage);
    // The request has already ended, so a second call also succeeds.
    expect(await desk.json(...cancel, '--yes')).toMatchObject({ id: requestId, state: 'revoked' });
  });

  test('a token is shown without its secret, and commands accept the beginnings of ids', async () => {
    const issue = ['token', 'issue', '--yes', '--email', 'desk-leo@example.org', '--agent', "Leo's agent"];
    const [first, second] = [await desk.json<Thing>(...issue), await desk.json<Thing>(...issue)];
    const short = [first, second].map(({ id }) => id.slice(0, 13));
    const shown = await desk.run('token', 'show', short[0] ?? '', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      id: first.id,
      state: 'active',
      email: 'desk-leo@example.org',
      ended_by: null,
      history: [{ to_state: 'active', actor: 'desk:test' }],
      authorization: { state: 'issued', token_id: first.id, mails: [{ purpose: 'issued' }] },
    });
    expect(shown.stdout).not.toContain(String(first['token']));
    expect((await desk.json<Thing[]>('token', 'show', ...short)).map(({ id }) => id)).toEqual([first.id, second.id]);
    // An unknown token does not prevent the revocation of the others.
    const unknown = randomUUID();
    const { code, stdout, stderr } = await desk.run('token', 'revoke', unknown, ...short, '--yes', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).map(({ state }: Thing) => state)).toEqual(['revoked', 'revoked']);
    expect(JSON.parse(stderr)).toMatchObject({ error: 'not_found', id: unknown });
    const ended = await desk.run('token', 'show', short[0] ?? '');
    expect(ended.stdout).toMatch(/state +revoked\n(?:.*\n)*ended by +our team\n(?:.*\n)*.*active → revoked +desk:test/);
    expect(await desk.refused('token', 'show', 'ffffffffffff')).toMatchObject({ code: 1, error: 'not_found' });
  });

  test('a person is exported and erased', async () => {
    const email = 'desk-eve@example.org';
    await desk.json('token', 'issue', '--email', email, '--agent', 'agent', '--yes');
    expect(await desk.json('person', 'show', '--email', email)).toMatchObject({
      tokens: [{ state: 'active' }],
      authorizations: [{ state: 'issued' }],
      contributions: [],
      mails: [{ cause: 'request', about: 'agent' }],
      erasures: [],
      quota: { remaining: 10 },
    });
    expect(await desk.json('person', 'export', '--email', email, '--reason', 'asked')).toMatchObject({
      id: email,
      identity: { tokens: [expect.anything()] },
      contributions: expect.anything(),
    });
    const readable = await desk.run('person', 'export', '--email', email, '--reason', 'asked', '--format', 'markdown');
    expect(readable.stdout).toContain('### tokens 1 of 1\n\n- id: ');
    await desk.json('person', 'mail-link', '--email', email, '--reason', 'asked', '--yes');
    const asked = await desk.json<{ id: string }>('person', 'erase', '--email', email, '--reason', 'asked');
    expect(await desk.json('erasure', 'list')).toMatchObject([{ id: asked.id, state: 'waiting', email }]);
    expect(await desk.refused('erasure', 'confirm', asked.id)).toMatchObject(usage);
    const own = await desk.refused('erasure', 'confirm', asked.id, '--yes');
    expect(own).toMatchObject({ message: expect.stringMatching(/"knowledge erasure list" shows the states\.$/) });
    expect(await desk.json('token', 'list', '--email', email)).toHaveLength(1);
    const second = ['erasure', 'confirm', asked.id.slice(0, 8), '--actor', 'desk:second', '--yes'];
    expect(await desk.json(...second)).toMatchObject({ state: 'erased', email, tokens: 1 });
    expect(await desk.json('token', 'list', '--email', email)).toEqual([]);
    expect(await desk.json('erasure', 'list', '--all')).toMatchObject([{ id: asked.id, state: 'done', email: null }]);
    const { id } = await desk.json<{ id: string }>('person', 'erase', '--email', email, '--reason', 'again');
    expect(await desk.json('erasure', 'cancel', id)).toMatchObject({ state: 'cancelled' });
  });

  test('quotas are shown and reset', async () => {
    await importOne('q', 'title: Q\nslug: desk-q', '--site', 'org', '--publish');
    const headers = { 'x-agent-client-id': 'desk-client' };
    const read = () => fetch(`${system.url}/api/v1/content/desk-q?site=org`, { headers });
    await until('the article', async () => (await read()).ok);
    expect(await desk.json('quota', 'show', 'client:desk-client')).toMatchObject({
      id: 'client:desk-client',
      state: 'available',
      limit: 3,
      remaining: 2,
      allowances: [{ policy: 'read_client_id', limit: 3, remaining: 2 }],
    });
    await read();
    await read();
    expect(await desk.json('quota', 'show', 'client:desk-client')).toMatchObject({ state: 'used_up', remaining: 0 });
    const reset = await desk.json('quota', 'reset', 'client:desk-client', '--reason', 'a test');
    expect(reset).toMatchObject({ state: 'available', remaining: 3 });
    expect(await desk.json('quota', 'show', 'address:192.0.2.7')).toMatchObject({ limit: 3, remaining: 3 });
    expect(await desk.json('quota', 'show', 'email:desk-q@example.org')).toMatchObject({ limit: 10, remaining: 10 });
  });
});

describe('on a terminal', () => {
  const email = 'desk-tess@example.org';
  /** Writes a shell script that replaces the editor or the pager. */
  const program = (name: string, script: string): string => {
    const path = join(directory, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    return path;
  };

  test('it asks before an action that cannot be undone, shows details, and accepts only yes', async () => {
    const issue = ['token', 'issue', '--yes', '--email', email, '--agent', "Tess's agent"];
    const { id } = await desk.json<Thing>(...issue);
    for (const answer of ['n\r', '\r', '\u0004', '\u0003']) {
      const { asked, code, rest } = await desk.terminal({}, 'token', 'revoke', id.slice(0, 8)).reply(answer);
      expect(asked).toContain(`"Tess's agent": ${email} gets a mail`);
      expect([code, rest]).toEqual([1, expect.stringContaining('knowledge: cancelled: ')]);
    }
    expect(await desk.json('token', 'show', id)).toMatchObject({ state: 'active' });
    const { code, rest } = await desk.terminal({}, 'token', 'revoke', id.slice(0, 8)).reply('y\r');
    expect([code, rest]).toEqual([0, expect.stringContaining(`of ${email} is revoked.`)]);
  });

  test('"review next" decides on each waiting contribution with one key', async () => {
    const { STORY, INQUIRY } = ContributionType;
    const ids: string[] = [];
    for (const type of [STORY, STORY, STORY, STORY, INQUIRY, INQUIRY]) ids.push(await submit(type, email));
    const editor = program('answer', 'sed -i "1s/.*/See the third table./" "$1"');
    const next = desk.terminal({ EDITOR: editor, PAGER: 'cat' }, 'review', 'next', '--site', 'org');
    const keys = async (at: number, typed: string): Promise<void> => {
      for (const part of [`${ids[at]}`, `${at + 1} of 6: `]) await next.shows(part);
      next.type('s'); // Before anybody can have read the question.
      await next.typeAt(' ? ', typed);
    };
    await keys(0, 'x');
    for (const key of 'yyyyyyyyyyyya') expect(await next.typeAt('1 of 6: ', key)).not.toContain('Warning');
    await next.shows('Held: Approved by');
    await keys(1, 'p');
    await next.shows('Held: Approved and published by');
    // Undoing shows the contribution again.
    await keys(2, 'u');
    await keys(1, 'p');
    await next.shows('Held: Approved and published by');
    await keys(2, 'r');
    await next.typeAt('empty: do not reject): ', '\r');
    await next.typeAt('3 of 6: ', 'r');
    await next.typeAt('empty: do not reject): ', 'An advertisement.\r');
    await next.shows('Held: Rejected by');
    await keys(3, 'c');
    await next.typeAt('empty: do not ask): ', '\r');
    await next.typeAt('4 of 6: ', 's');
    await keys(4, 'a');
    await next.shows('Held: Answered by');
    await keys(5, 'r');
    // The end of input means "no" and ends the command.
    await next.typeAt('close without a reason): ', '\u0004');
    expect(await next.ended()).toEqual({ code: 0, rest: expect.stringContaining('4 contributions decided.') });
    const shown = await desk.json<Thing[]>('review', 'show', ...ids);
    expect(shown.map(outcomeOf)).toEqual([
      ['approved', null, null],
      ['published', null, null],
      ['rejected', 'An advertisement.', null],
      ['pending_review', null, null],
      ['answered', null, 'See the third table.'],
      ['pending_review', null, null],
    ]);
  });

  test('an answer is written in $EDITOR, and saved in a file if it is not sent', async () => {
    const id = await submit(ContributionType.INQUIRY, email);
    const editor = program('editor', 'sed -i "1s/.*/In the second table./" "$1"');
    const { asked, code, rest } = await desk.terminal({ EDITOR: editor }, 'review', 'answer', id).reply('n\r');
    expect(asked).toContain('  | In the second table.\n');
    const [, path = ''] = /What you wrote is in (\S+)/.exec(rest) ?? [];
    expect({ code, kept: readFileSync(path, 'utf8') }).toEqual({ code: 1, kept: 'In the second table.\n' });
    const sent = await desk.json('review', 'answer', id, '--file', path, '--yes');
    expect(sent).toMatchObject({ answer: 'In the second table.' });
    rmSync(join(path, '..'), { recursive: true });

    // The text ends with Ctrl-D. After it the desk still asks for confirmation on the terminal.
    const refusal = desk.terminal({}, 'review', 'answer', id, '--text', '-');
    refusal.type('In the third table.\r\u0004');
    const unsent = await refusal.reply('\r');
    expect(unsent).toMatchObject({ code: 1, rest: expect.stringContaining('Nothing was changed or sent.') });
    rmSync(join(/What you wrote is in (\S+)/.exec(unsent.rest)?.[1] ?? '', '..'), { recursive: true });
    const typed = desk.terminal({}, 'review', 'answer', id, '--text', '-');
    typed.type('In the third table.\r\u0004');
    expect((await typed.reply('y\r')).code).toBe(0);
    expect(await desk.json('review', 'show', id)).toMatchObject({ answer: 'In the third table.' });

    // Without the marker line, the mail would contain the text of the inquiry as part of the answer.
    const whole = desk.terminal({ EDITOR: program('whole', 'echo everything > "$1"') }, 'review', 'answer', id);
    const refused = await whole.ended();
    expect(refused).toMatchObject({ code: 1, rest: expect.stringContaining('"write above" is gone') });
    rmSync(join(/What you wrote is in (\S+)/.exec(refused.rest)?.[1] ?? '', '..'), { recursive: true });
    const empty = await desk.terminal({ EDITOR: 'true' }, 'review', 'answer', id).ended();
    expect(empty).toMatchObject({ code: 1, rest: expect.stringContaining('The text is empty; nothing was changed.') });
  });

  test('a list longer than the terminal goes through the pager, with complete slugs', async () => {
    const slug = 'what-we-learned-when-the-certificate-of-the-third-plant-expired';
    const title = 'What we learned when the certificate of the third plant expired on a Saturday';
    await importOne('long', `title: ${title}\nslug: ${slug}`, '--site', 'org');
    const drafts = Array.from({ length: 30 }, (_, at) => `many-${at}`);
    await Promise.all(drafts.map((each) => putArticle(system, { slug: each, site: Site.IO, publish: false })));
    const PAGER = program('pager', 'sed "s/^/| /"');
    const long = await desk.terminal({ PAGER }, 'article', 'list', '--state', 'draft').ended();
    expect(long.code).toBe(0);
    expect(long.rest).toMatch(new RegExp(`^\\| org +draft +What we learned.+… .*  ${slug}$`, 'm'));
    const short = await desk.terminal({ PAGER }, 'article', 'list', '--site', 'org', '--state', 'draft').ended();
    expect(short.rest).toMatch(new RegExp(`^org +draft +What we learned.+… .*  ${slug}$`, 'm'));
    expect(short.rest).toMatch(/\n\d+ articles?\n$/);
    const missing = await desk.terminal({ PAGER: 'no-such-pager' }, 'article', 'list', '--state', 'draft').ended();
    expect(missing).toMatchObject({ code: 0, rest: expect.stringContaining(slug) });
  });
});

describe('an output that cannot be written', () => {
  test.each(['article list --json', 'article list', 'article list --help', '--version'])(
    'a full disk is reported in one line after "%s" (exit code 1)',
    async (line) => {
      const { code, stderr } = await desk.shell(`$DESK ${line} > /dev/full`);
      expect([code, stderr]).toEqual([1, 'knowledge: file_error: The output cannot be written (ENOSPC).\n']);
    },
  );

  test('a closed pipe ends the command quietly, and empty output is no failure', async () => {
    const closed = await desk.shell('($DESK article list --json; echo $? >&2) | head -c 1');
    expect(closed).toEqual({ code: 0, stdout: '[', stderr: '0\n' });
    expect(await desk.shell('$DESK article list >&-')).toMatchObject({ code: 0, stderr: '' });
    expect((await desk.shell('$DESK article list --state x 2> /dev/full')).code).toBe(2);
  });
});

/** What was decided, whether it is still held or has taken effect already. */
function outcomeOf({ state, reason, answer, held }: Thing): unknown[] {
  if (!held) return [state, reason, answer];
  const states: Record<string, string> = { approve_and_publish: 'published', answer: 'answered', reject: 'rejected' };
  return [states[held.decision] ?? 'approved', held.reason, held.text];
}

test('a moderator decides about the text that they have seen, not about what stands under its id by then', async () => {
  const other = deskOf(system, { KNOWLEDGE_ACTOR: 'desk:other' });
  const email = 'swap@example.org';
  const id = await submit(ContributionType.STORY, email);
  const [listed] = await desk.json<Thing[]>('review', 'list', '--email', email);
  const first = `${id}@1`;
  expect(listed).toMatchObject({ id, id_at_revision: first, seen_revision: 0 });
  expect((await desk.run('review', 'list', '--email', email)).stdout).toContain(first);
  expect((await desk.run('review', 'show', first)).stdout).toMatch(new RegExp(`id +${first}\n`));

  // A colleague asks for changes, and the agent hands in another text.
  await other.json('review', 'request-changes', first, '--reason', 'Without prices.', '--yes');
  const { contribution } = await system.clients.contributions.getContribution(
    { email, id, authorizationId: '' },
    asTester(),
  );
  const authorizationId = contribution?.authorizationId ?? '';
  const contributor = { email, tokenId: 't', scopes: ['write:story'], agentName: 'agent', authorizationId };
  const text = { title: 'Another story', body: 'Buy what nobody has seen.' };
  const revision = { contributor, id, ...text, payloadHash: randomBytes(32), ifRevisions: [] };
  await system.clients.contributions.reviseContribution(revision, asTester());

  const publish = ['review', 'approve', '--publish', '--yes'];
  for (const word of [id, first, id.slice(0, 13), `${id.slice(0, 13)}@2`]) {
    expect(await desk.refused(...publish, word)).toMatchObject(invalidState);
    expect(await desk.refused('review', 'reject', word, '--reason', 'x', '--yes')).toMatchObject({ code: 1 });
  }
  const twice = ['review', 'reject', first, '--revision', '3', '--reason', 'x', '--yes'];
  expect((await desk.refused(...twice)).message).toBe('Give ID@revision or --revision, not both.');
  expect((await desk.refused(...publish, id)).message).toMatch(
    /^Its agent changed the text \(revision 3, .+\), and you have not opened it since\..+review show/,
  );
  // What is printed before a decision is no look at the text.
  const { title } = await desk.json<Thing>('review', 'show', id);
  expect(title).toBe('Another story');
  expect(await desk.json(...publish, `${id}@3`)).toMatchObject({ state: 'published' });
});

test('several texts that were never shown to a moderator are published only if the moderator says so', async () => {
  const ids = await Promise.all([1, 2, 3].map((at) => submit(ContributionType.STORY, `never-${at}@example.org`)));
  await desk.run('review', 'show', ids[0] as string);
  const approve = ['review', 'approve', ...ids, '--publish'];
  const refused = await desk.refused(...approve, '--yes');
  expect(refused).toMatchObject(usage);
  expect(refused.message).toMatch(/^2 of these 3 were never shown to you: .+ add --unseen/);
  expect(await desk.refused(...approve, '--hold')).toMatchObject({ code: 2 });
  expect(await desk.json('review', 'list', '--email', 'never-1@example.org')).toHaveLength(1);
  const rejected = await desk.run('review', 'reject', ...ids.slice(1), '--reason', 'Not ours.', '--yes', '--hold');
  expect(rejected).toMatchObject({ code: 0, stderr: '2 of these 2 were never shown to you.\n' });
  await desk.json('review', 'undo', ...ids.slice(1));
  // Of one alone it is said.
  const one = await submit(ContributionType.STORY, 'never-4@example.org');
  const alone = await desk.run('review', 'approve', one, '--publish', '--yes');
  expect(alone).toMatchObject({ code: 0, stderr: 'This one was never shown to you.\n' });
  const published = await desk.json<Thing[]>(...approve, '--yes', '--unseen');
  expect(published.map(({ state }) => state)).toEqual(ids.map(() => 'published'));
});
