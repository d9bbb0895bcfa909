import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { ownFolder } from '@knowledge/runtime/testing';
import { describe, expect, test } from 'vitest';
import { contribute, freshEmail } from '../harness/agent.js';
import { putBare } from '../harness/articles.js';
import { deskOf } from '../harness/desk.js';
import { sharedSystem } from '../harness/system.js';

const system = await sharedSystem();
const desk = deskOf(system);
const folder = ownFolder();

const put = (...article: [slug: string, part: Partial<PutArticleRequest>]) => putBare(system, ...article);

async function rollout(slug: string): Promise<void> {
  await put(slug, { title: 'Rollout', body: '# Weeks\n\nWe took nine weeks.', publish: true, reason: 'first' });
  await put(slug, { title: 'Rollout', body: '# Weeks\n\nWe took ten weeks.', reason: 'counted again' });
  await put(slug, { title: 'Our rollout', tags: ['weeks'], body: '# Weeks\n\nWe took ten short weeks.' });
}

describe('the desk: the history of an article', () => {
  test('lists the revisions of an article as a table and as JSON', async () => {
    await rollout('listed');
    const { code, stdout } = await desk.run('article', 'history', 'listed');
    expect(code).toBe(0);
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^rev {2}when, UTC +who +change +readers +why$/);
    expect(rows.map((row) => row.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'WHEN').replace(/ {2,}/g, ' | '))).toEqual([
      ' | 3 | WHEN | tester | title, tags, body (+1 word) | see it',
      ' | 2 | WHEN | tester | body (+1 −1 word) | saw it | counted again',
      ' | 1 | WHEN | tester | new published | saw it | first',
    ]);
    const listed = await desk.json<object[]>('article', 'history', 'listed', '--site', 'org', '--limit', '2');
    expect(listed).toMatchObject([
      { revision: 3, actor: 'tester', visibility: 'now', changed_fields: ['title', 'tags', 'body'], words_added: 1 },
      { revision: 2, visibility: 'earlier', reason: 'counted again', restored_revision: null },
    ]);
    expect(await desk.refused('article', 'history', 'nothing')).toMatchObject({ code: 1, error: 'not_found' });
  });

  test('lists more revisions than one page has', async () => {
    for (let each = 1; each <= 51; each++) await put('long', { title: `Title ${each}` });
    const listed = await desk.json<{ revision: number }[]>('article', 'history', 'long');
    expect(listed.map(({ revision }) => revision)).toEqual(Array.from({ length: 51 }, (_, at) => 51 - at));
  });

  test('shows an article as it was', async () => {
    await rollout('shown');
    expect(await desk.json('article', 'show', 'shown', '--revision', '1')).toMatchObject({
      ...{ title: 'Rollout', tags: [], revision: 1, state: 'published', body: '# Weeks\n\nWe took nine weeks.' },
      change: { actor: 'tester', reason: 'first', visibility: 'earlier' },
    });
    const { stdout } = await desk.run('article', 'show', 'shown', '--revision', '1');
    expect(stdout).toMatch(/^title +Rollout$/m);
    expect(stdout).toMatch(/^by +tester$/m);
    expect(stdout).toMatch(/^readers +saw it$/m);
    expect(stdout).toContain('We took nine weeks.');
    expect(await desk.refused('article', 'show', 'shown', '--revision', '4')).toMatchObject({
      ...{ code: 1, error: 'not_found' },
      message: 'There is no revision 4 of shown; it has 3. "knowledge article history shown" lists them.',
    });
    expect(await desk.refused('article', 'show', 'shown', 'listed', '--revision', '1')).toMatchObject({ code: 2 });
  });

  test('compares two revisions by lines and by words', async () => {
    await rollout('compared');
    const last = await desk.run('article', 'diff', 'compared');
    expect(last.stdout).toMatch(
      /^revision 2 \(.* UTC, tester\) → revision 3 \(.* UTC, tester\)\n\ntitle\n-Rollout\n\+Our/,
    );
    expect(last.stdout).toContain('\n # Weeks\n \n-We took ten weeks.\n+We took ten short weeks.\n');
    const words = await desk.run('article', 'diff', 'compared', '--from', '1', '--to', '2', '--words');
    expect(words.stdout).toContain('\n We took [-nine-]{+ten+} weeks.\n');
    expect(words.stdout).not.toContain('title');
    expect(words.stdout).not.toContain('\u001b');
    expect(await desk.json('article', 'diff', 'compared', '--from', '1')).toMatchObject({
      ...{ slug: 'compared', site: 'org', from: { revision: 1 }, to: { revision: 3 } },
      fields: [
        { field: 'title', from: 'Rollout', to: 'Our rollout' },
        { field: 'tags', from: [], to: ['weeks'] },
      ],
      body_patch: '@@ -1,3 +1,3 @@\n # Weeks\n \n-We took nine weeks.\n+We took ten short weeks.\n',
    });
    expect(await desk.refused('article', 'diff', 'compared', '--to', '1')).toMatchObject({ code: 2, error: 'usage' });
    const coloured = desk.terminal({ NO_COLOR: '', PAGER: 'cat' }, 'article', 'diff', 'compared');
    expect((await coloured.ended()).rest).toContain('\u001b[32m+We took ten \u001b[7mshort \u001b[27mweeks.');
  });

  test('shows hostile text without its control characters', async () => {
    const hostile = `\u001b]0;x\u0007\u001b[2J over\rwritten \u202egnp ${'x'.repeat(8000)} <script>alert(1)</script>`;
    await put('hostile', { body: 'Before.' });
    await put('hostile', { body: hostile });
    for (const command of [
      ['diff', 'hostile'],
      ['diff', 'hostile', '--words'],
      ['show', 'hostile', '--revision', '2'],
    ]) {
      const { code, stdout } = await desk.run('article', ...command);
      const unsafe = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u.exec(stdout);
      expect({ code, unsafe }).toEqual({ code: 0, unsafe: null });
      expect(stdout).toContain(`${'x'.repeat(8000)} <script>`);
    }
    const { body_patch } = await desk.json<{ body_patch: string }>('article', 'diff', 'hostile');
    expect(body_patch).toContain('+]0;x[2J over\rwritten gnp');
  });

  test('restores a revision after it showed the changes and asked', async () => {
    await rollout('restored');
    const line = ['article', 'restore', 'restored', '--revision', '1', '--reason', 'nine was right'];
    expect(await desk.refused(...line)).toMatchObject({ code: 2, message: expect.stringContaining('add --yes') });
    const refused = desk.terminal({}, ...line);
    const asked = await refused.shows('Go on? [y/N] ');
    expect(asked).toContain('-We took ten short weeks.\n+We took nine weeks.\n');
    expect(asked).toContain('in place of revision 3 (published). Readers get that text at once.');
    refused.type('n\r');
    expect((await refused.ended()).code).toBe(1);

    // Another editor is faster than the answer, so the revision that was shown is not the present one any more.
    const late = desk.terminal({}, ...line);
    await late.shows('Go on? [y/N] ');
    await put('restored', { title: 'Meanwhile' });
    late.type('y\r');
    const { code, rest } = await late.ended();
    expect({ code, rest }).toMatchObject({ code: 1, rest: expect.stringContaining('invalid_state') });

    const done = desk.terminal({}, ...line);
    await done.shows('Go on? [y/N] ');
    done.type('y\r');
    expect((await done.ended()).rest).toContain(
      'restored on org is published and has revision 5 now, with the text of revision 1.',
    );
    expect(await desk.json('article', 'show', 'restored')).toMatchObject({ title: 'Rollout', revision: 5, tags: [] });
    const [newest] = await desk.json<object[]>('article', 'history', 'restored', '--limit', '1');
    expect(newest).toMatchObject({ restored_revision: 1, reason: 'nine was right', actor: 'desk:test' });
  });

  test('does not ask before a restoration that changes nothing', async () => {
    await rollout('same');
    const same = { outcome: 'unchanged', revision: 3, restored_revision: 3 };
    expect(await desk.json('article', 'restore', 'same', '--revision', '3')).toMatchObject(same);
    const { stdout } = await desk.run('article', 'restore', 'same', '--revision', '3');
    expect(stdout).toBe('same on org has the text of revision 3 already.\n');
    const unknown = await desk.refused('article', 'restore', 'same', '--revision', '9', '--yes');
    expect(unknown).toMatchObject({ code: 1, error: 'not_found' });
  });

  test('shows a long change in part before it asks', async () => {
    const lines = (word: string) => Array.from({ length: 200 }, (_, at) => `${word} ${at}`).join('\n');
    await put('longer', { body: lines('old') });
    await put('longer', { body: lines('new') });
    const asked = desk.terminal({}, 'article', 'restore', 'longer', '--revision', '1');
    expect(await asked.shows('Go on? [y/N] ')).toMatch(/-new 5\n[\s\S]*… 342 more lines; see "article diff"\./);
    asked.type('\r');
    expect((await asked.ended()).code).toBe(1);
  });
});

describe('the desk: the draft of the next revision', () => {
  const file = (text: string) => {
    const path = join(mkdtempSync(join(folder, 'next-')), 'next.md');
    writeFileSync(path, text);
    return path;
  };

  test('writes, compares and publishes it, with the lost update of another editor refused', async () => {
    await rollout('next');
    await desk.json('article', 'export', join(folder, 'all'), '--site', 'org');
    const path = join(folder, 'all', 'org', 'next.md');
    writeFileSync(path, readFileSync(path, 'utf8').replace('ten short weeks', 'eleven weeks'));
    expect(await desk.refused('article', 'next', 'show', 'next')).toMatchObject({ code: 1, error: 'not_found' });
    const created = await desk.json('article', 'next', 'put', path, '--reason', 'a new count');
    expect(created).toMatchObject({ outcome: 'created', is_outdated: false, draft: { base_revision: 3, revision: 1 } });
    expect(await desk.json('article', 'next', 'put', path)).toMatchObject({ outcome: 'unchanged' });
    expect((await desk.run('article', 'list', '--site', 'org')).stdout).toMatch(/our rollout.* draft .*next\n/i);
    expect((await desk.run('article', 'next', 'diff', 'next', '--words')).stdout).toMatch(
      /^revision 3 → the draft by desk:test\n\nbody\n[\s\S]*\[-ten short-\]\{\+eleven\+\} weeks\.\n/,
    );

    // The file of the export knows nothing of the draft, so it must not overwrite what the draft says now.
    writeFileSync(path, readFileSync(path, 'utf8').replace('eleven', 'twelve'));
    expect(await desk.refused('article', 'next', 'put', path)).toMatchObject({ code: 1, error: 'invalid_state' });
    const own = file((await desk.run('article', 'next', 'show', 'next', '--markdown')).stdout);
    expect(readFileSync(own, 'utf8')).toContain(
      'revision: 3\ndraft_revision: 1\n---\n\n# Weeks\n\nWe took eleven weeks.\n',
    );
    expect(await desk.json('article', 'next', 'put', own)).toMatchObject({ outcome: 'unchanged' });
    expect(await desk.json('article', 'next', 'put', path, '--overwrite')).toMatchObject({ draft: { revision: 2 } });

    await put('next', { title: 'Meanwhile', body: '# Weeks\n\nWe took ten weeks.' });
    expect((await desk.run('article', 'next', 'show', 'next')).stdout).toMatch(/based on +3 \(the article has 4 now\)/);
    expect(await desk.refused('article', 'next', 'publish', 'next')).toMatchObject({ code: 1, error: 'invalid_state' });
    await desk.json('article', 'next', 'put', path, '--overwrite', '--base', '4');
    const done = await desk.run('article', 'next', 'publish', 'next', '--reason', 'counted');
    expect(done.stdout).toBe('next on org is published and has revision 5 now.\n');
    const now = { body: '# Weeks\n\nWe took twelve weeks.', revision: 5, draft: null };
    expect(await desk.json('article', 'show', 'next')).toMatchObject(now);
  });

  test('brings in a correction that an inquiry proposes, and no other inquiry', async () => {
    await rollout('corrected');
    const token = await system.issueToken(freshEmail());
    const inquire = async (fields: object) =>
      (await contribute(system, token, { type: 'inquiry', body: 'It took eleven weeks.', ...fields })).json
        .contribution;
    const { id } = await inquire({ purpose: 'correction', about: '/articles/corrected?site=org' });
    const other = await inquire({});
    const about = { site: 'org', slug: 'corrected', object_id: null, title: 'Our rollout' };
    expect(await desk.json('review', 'list', '--purpose', 'correction')).toMatchObject([{ id, about }]);
    const path = file('---\ntitle: T\nslug: corrected\nsite: org\nrevision: 3\n---\nEleven weeks.\n');
    const refused = await desk.refused('article', 'next', 'put', path, '--from-inquiry', other.id);
    expect(refused).toMatchObject({ code: 1, error: 'validation_error' });
    const put = await desk.json('article', 'next', 'put', path, '--from-inquiry', id.slice(0, 8));
    expect(put).toMatchObject({ outcome: 'created', draft: { revision: 1 } });
  });

  test('schedules it, takes the time back and deletes it after a question', async () => {
    await rollout('timed');
    const path = file('---\ntitle: T\nslug: timed\nsite: org\n---\nLater.\n');
    expect(await desk.refused('article', 'next', 'put', path)).toMatchObject({ code: 2, error: 'usage' });
    await desk.json('article', 'next', 'put', path, '--base', '3');
    const scheduled = await desk.run('article', 'next', 'publish', 'timed', '--at', '2099-01-01');
    expect(scheduled.stdout).toBe('The draft of timed on org appears at 2099-01-01 00:00 UTC.\n');
    expect(await desk.json('article', 'show', 'timed')).toMatchObject({
      draft: { publish_at: '2099-01-01T00:00:00Z', scheduled_by: 'desk:test' },
    });
    const past = await desk.refused('article', 'next', 'publish', 'timed', '--at', '2001-01-01');
    expect(past).toMatchObject({ code: 1, error: 'validation_error' });
    const whole = file('---\ntitle: T\nslug: timed\nsite: org\n---\nNow.\n');
    const loss = 'desk:test scheduled its next revision for 2099-01-01 00:00 UTC. If you change the article now';
    for (const command of ['archive', 'draft', 'restore --revision 1']) {
      const { code, message } = await desk.refused('article', ...command.split(' '), 'timed');
      expect([command, code, message]).toEqual([command, 2, expect.stringContaining(loss)]);
    }
    const imported = await desk.run('article', 'import', dirname(whole));
    expect([imported.code, imported.stdout]).toEqual([1, expect.stringContaining(`not overwritten: ${loss}`)]);
    expect((await desk.run('article', 'next', 'unschedule', 'timed')).stdout).toContain('has no time now');
    await desk.json('article', 'next', 'publish', 'timed', '--at', '2099-01-01');
    await desk.json('article', 'archive', 'timed', '--yes');
    expect((await desk.run('article', 'list', '--missed')).stdout).toContain('missed 2099-01-01 00:00');
    for (const show of [['show'], ['next', 'show']])
      expect((await desk.run('article', ...show, 'timed')).stdout).toContain('desk:test changed the article first');
    expect(await desk.refused('article', 'next', 'discard', 'timed')).toMatchObject({ code: 2 });
    await desk.json('article', 'next', 'discard', 'timed', '--yes');
    expect(await desk.refused('article', 'next', 'discard', 'timed', '--yes')).toMatchObject({ error: 'not_found' });
  });
});
