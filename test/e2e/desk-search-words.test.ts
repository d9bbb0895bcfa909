import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownFolder } from '@knowledge/runtime/testing';
import { describe, expect, test } from 'vitest';
import { deskOf } from '../harness/desk.js';
import { call } from '../harness/http.js';
import { ownSystem } from '../harness/own.js';
import { until } from '../harness/until.js';

const sample = fileURLToPath(new URL('../../deploy/local/sample/', import.meta.url));

const system = await ownSystem();
const desk = deskOf(system);
const directory = ownFolder();

interface Import {
  imported: number;
  unchanged: number;
  failed: number;
  entries: { name: string; outcome: string; problem?: string }[];
}
interface Group {
  id: string;
  words: string[];
  from: string[];
  updated_by: string;
}

const file = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

describe('knowledge synonym', () => {
  test('imports groups of the sample, and writes nothing at a dry run or a repeat', async () => {
    const groups = readFileSync(join(sample, 'synonyms.yaml'), 'utf8').split(/^(?=- )/m);
    const some = groups.filter((text, at) => at < 70 || text.includes('id: gdpr-in-texts'));
    const seed = file('some.yaml', some.join(''));
    const dry = await desk.json<Import>('synonym', 'import', seed, '--dry-run');
    expect(dry.imported).toBeGreaterThan(65);
    expect(await desk.json<Group[]>('synonym', 'list')).toEqual([]);
    const first = await desk.json<Import>('synonym', 'import', seed);
    expect(first).toMatchObject({ imported: dry.imported, unchanged: 0, failed: 0 });
    expect(first.entries).toContainEqual({ name: 'gdpr-in-texts', outcome: 'created' });
    const again = await desk.json<Import>('synonym', 'import', seed);
    expect(again).toMatchObject({ imported: 0, unchanged: dry.imported, failed: 0 });
    expect(await desk.json<Group[]>('synonym', 'list')).toHaveLength(dry.imported);
  });

  test('exports what an import reads', async () => {
    const path = join(directory, 'export.yaml');
    const { exported } = await desk.json<{ exported: number }>('synonym', 'export', path);
    const again = await desk.json<Import>('synonym', 'import', path);
    expect(again).toMatchObject({ imported: 0, unchanged: exported, failed: 0 });
    expect(readFileSync(path, 'utf8')).toContain('- id: gdpr-in-texts\n');
  });

  test('imports nothing if one group is refused, and says which', async () => {
    const path = file('bad.yaml', '- words: [good, fine]\n- id: Bad Id\n  words: [a, b]\n');
    const { code, stdout } = await desk.run('synonym', 'import', path, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ imported: 0, failed: 1, entries: [{ name: 'Bad Id' }] });
    expect((await desk.run('synonym', 'import', path)).stdout).toMatch(
      /^Nothing was imported: 1 of the groups failed\./,
    );
    expect(await desk.json<Group[]>('synonym', 'list', '--word', 'good')).toEqual([]);
  });

  test('puts, lists and deletes a group', async () => {
    await desk.json('synonym', 'put', 'own', 'Active Directory', '--from', 'AD2');
    const [own] = await desk.json<Group[]>('synonym', 'list', '--word', 'ad2');
    expect(own).toMatchObject({ id: 'own', words: ['Active Directory'], from: ['AD2'] });
    expect(own?.updated_by).not.toBe('');
    await desk.json('synonym', 'delete', 'own', '--yes');
    expect(await desk.json<Group[]>('synonym', 'list', '--word', 'ad2')).toEqual([]);
    const missing = await desk.run('synonym', 'delete', 'own', '--yes');
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('not_found') });
    const whole = ['--since', '2026-01-01', '--until', new Date(Date.now() + 1).toISOString()];
    const events = await desk.run('watch', '--json', '--subject', 'synonyms', '--id', 'own', ...whole);
    expect(events.stdout).toContain('"state":"deleted"');
  });
});

describe('knowledge gloss', () => {
  test('imports, shows, changes and deletes the gloss of an article', async () => {
    await desk.json('article', 'import', join(sample, 'org/articles'), '--publish', '--site', 'org');
    await desk.json('article', 'import', join(sample, 'io/articles'), '--publish', '--site', 'io');
    const glosses = join(sample, 'glosses.yaml');
    expect(await desk.json<Import>('gloss', 'import', glosses, '--dry-run')).toMatchObject({ imported: 5, failed: 0 });
    expect(await desk.json<Import>('gloss', 'import', glosses)).toMatchObject({ imported: 5, failed: 0 });
    const slug = 'dyzury-w-zakladzie-produkcyjnym';
    expect(await desk.json('gloss', 'show', slug)).toMatchObject({
      title: expect.stringContaining('IT on-call duty in a plant'),
      written_for_revision: 1,
      text_revision: 1,
    });
    await desk.json('gloss', 'put', slug, '--title', 'Another title');
    expect(await desk.json('gloss', 'show', slug)).toMatchObject({ title: 'Another title', summary: '' });
    await desk.json('gloss', 'delete', slug, '--yes');
    const gone = await desk.run('gloss', 'show', slug);
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('has no gloss') });
  });

  test('refuses a gloss of an English article', async () => {
    const refused = await desk.run('gloss', 'put', 'rolling-out-sso', '--title', 'A title');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The text is in English') });
  });
});

test('what is read most, and how many readers met their limit, is counted without readers', async () => {
  const reader = { 'x-agent-client-id': 'reads-all-of-the-day' };
  const slugs = ['rolling-out-sso', 'dyzury-w-zakladzie-produkcyjnym'];
  const read = async (path: string) => (await call(path, { headers: reader })).json;
  const [first, second] = slugs.map((slug) => `${system.url}/api/v1/content/${slug}?site=org`) as [string, string];
  // All parts of an article are one read.
  let parts = 0;
  for (let part: string | null = `${second}&max_tokens=200`; part !== null; parts++)
    part = (await read(part)).continuation;
  expect(parts).toBeGreaterThan(2);
  for (let at = 0; at < 3; at++) await read(first);
  type Read = { slug: string; reads: number };
  type Limit = { policy: string; used_up: { subjects: number }[] };
  const most = await until('the reads', async () => {
    const read = await desk.json<Read[]>('search', 'most-read', '--site', 'org');
    // The reads are stored in turns.
    return read.reduce((sum, { reads }) => sum + reads, 0) >= 3 ? read : undefined;
  });
  expect(most).toMatchObject([
    { site: 'org', slug: slugs[0], reads: 2 },
    { site: 'org', slug: slugs[1], reads: 1 },
  ]);
  const met = await until('the limit', async () => {
    const limits = await desk.json<Limit[]>('quota', 'limits');
    return limits.find(({ policy, used_up }) => policy === 'read_client_id' && used_up.length > 0);
  });
  expect(met.used_up[0]?.subjects).toBeGreaterThan(0);
});

describe('knowledge search find', () => {
  interface Found {
    total: number;
    did_you_mean: string | null;
    facets: Record<string, { value: string; count: number }[]>;
    entries: {
      kind: string;
      site: string;
      slug?: string;
      language: string;
      weak: boolean;
      matched: { word: string; found: string[]; fields: string[] }[];
      snippet: { text: string; heading: string | null } | null;
    }[];
  }
  const find = (...args: string[]): Promise<Found> => desk.json<Found>('search', 'find', ...args);

  test('finds what readers find, with the words and the passage of each hit', async () => {
    const { total, entries, facets } = await find('single sign-on', '--site', 'org');
    expect(entries[0]).toMatchObject({ kind: 'article', site: 'org', slug: 'rolling-out-sso', weak: false });
    expect(entries[0]?.matched[0]).toMatchObject({ word: 'single', fields: expect.arrayContaining(['title']) });
    expect(entries[0]?.snippet?.text).toMatch(/sign|SSO/i);
    expect(entries).toHaveLength(Math.min(total, 10));
    expect(facets['kind']).toEqual([{ value: 'article', count: total }]);
  });

  test('filters, and pages up to its limit', async () => {
    const all = await find('people team system day', '--limit', '70');
    expect(all.total).toBeGreaterThan(50);
    expect(all.entries).toHaveLength(Math.min(all.total, 70));
    expect(new Set(all.entries.map(({ site, slug }) => `${site}/${slug}`)).size).toBe(all.entries.length);
    const { entries } = await find('system', '--language', 'de', '--kind', 'article', '--limit', '70');
    expect(entries.map(({ language }) => language)).toContain('de');
    expect(new Set(entries.map(({ language }) => language)).size).toBe(1);
    expect((await find('system', '--kind', 'object')).total).toBe(0);
    expect((await find('system', '--tag', 'no-such-tag')).total).toBe(0);
    expect((await find('system', '--author', 'nobody')).total).toBe(0);
  });

  test('prints a table that marks weak hits, and passages on demand', async () => {
    const { stdout } = await desk.run('search', 'find', 'rolling', 'out', 'single', 'sign-on', '--limit', '50');
    expect(stdout).toMatch(/^(\d+) of \1 hits\n/);
    expect(stdout).toMatch(/^kind +site +fit +title +found in +slug or id$/m);
    expect(stdout).toMatch(/^article +org +Rolling out.* {2}rolling-out-sso$/m);
    expect(stdout).toMatch(/^article +(io|org) +weak +\S/m);
    const passages = await desk.run('search', 'find', 'sauvegarde', '--site', 'org', '--limit', '1', '--passages');
    expect(passages.stdout).toMatch(/^found +sauvegarde: .*\(.*\)$/m);
    expect(passages.stdout).toMatch(/^passage +\S/m);
  });

  test('offers another spelling, and says when nothing is found or asked', async () => {
    expect((await desk.run('search', 'find', 'certifcate')).stdout).toMatch(/^Did you mean: certificate$/m);
    expect((await desk.run('search', 'find', 'zzqqzz')).stdout).toBe(
      'Nothing was found. Try fewer or other words, or another language.\n',
    );
    const weak = await desk.run('search', 'find', 'office dog policy');
    expect(weak.stdout).toMatch(/^\d+ of \d+ hits\nAll hits here are weak/);
    expect((await desk.run('search', 'find', 'what is the')).stdout).toMatch(/^All words are too common/);
    expect(await desk.refused('search', 'find', ' ')).toMatchObject({ code: 1, error: 'validation_error' });
    expect(await desk.refused('search', 'find', 'x'.repeat(501))).toMatchObject({ code: 1, error: 'validation_error' });
  });
});
