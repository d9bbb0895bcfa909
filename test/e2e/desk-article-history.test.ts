import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, deskOf } from '../harness/desk.js';
import { asTester, type System, startSystem } from '../harness/system.js';

let system: System;
let desk: Desk;

beforeAll(async () => {
  system = await startSystem();
  desk = deskOf(system);
});
afterAll(() => system?.close());

const put = (slug: string, part: Partial<PutArticleRequest>) => {
  const request: object = { site: Site.ORG, slug, title: 'A title', body: 'A body.', ...part };
  return system.clients.editorial.putArticle(PutArticleRequest.fromPartial(request), asTester());
};

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
    const hostile = `\u001b]0;x\u0007\u001b[2J \u202egnp ${'x'.repeat(8000)} <script>alert(1)</script>`;
    await put('hostile', { body: 'Before.' });
    await put('hostile', { body: hostile });
    for (const command of [
      ['diff', 'hostile'],
      ['diff', 'hostile', '--words'],
      ['show', 'hostile', '--revision', '2'],
    ]) {
      const { code, stdout } = await desk.run('article', ...command);
      expect({ code, unsafe: /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u.exec(stdout) }).toEqual({
        code: 0,
        unsafe: null,
      });
      expect(stdout).toContain(`${'x'.repeat(8000)} <script>`);
    }
    const { body_patch } = await desk.json<{ body_patch: string }>('article', 'diff', 'hostile');
    expect(body_patch).toContain('\u001b[2J');
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
    expect(await desk.json('article', 'restore', 'same', '--revision', '3')).toMatchObject({
      ...{ outcome: 'unchanged', revision: 3, restored_revision: 3 },
    });
    const { stdout } = await desk.run('article', 'restore', 'same', '--revision', '3');
    expect(stdout).toBe('same on org has the text of revision 3 already.\n');
    expect(await desk.refused('article', 'restore', 'same', '--revision', '9', '--yes')).toMatchObject({
      ...{ code: 1, error: 'not_found' },
    });
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
