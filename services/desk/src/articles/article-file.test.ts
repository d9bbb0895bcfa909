import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { describe, expect, it } from 'vitest';
import { LeftOut } from '../files/fields.js';
import { foreignSyntax } from '../files/foreign-syntax.js';
import { readFrontMatter } from '../files/front-matter.js';
import { readObject } from '../objects/object-file.js';
import { type ArticleImport, readArticle, readArticleFile } from './article-file.js';

const fields = { slug: 'a-b', title: 'A', summary: null, tags: 'one, two ,', published_at: '2026-02-03' };
const given = { site: 'io', publish: true, schedule: false, overwrite: false, reason: '' };
const read = (own: object, { body = 'text', ...more }: Partial<ArticleImport & { body: string }> = {}) =>
  readArticle({ fields: { ...own }, body, before: 0 }, 'a.md', { ...given, ...more });
const readText = (text: string, path = 'a.md', more = {}) =>
  readArticle(readFrontMatter(Buffer.from(text)), path, { ...given, ...more });

const at = (day: string) => new Date(`${day}T00:00:00Z`);

describe('readArticle', () => {
  it('reads tags from a text, dates as midnight UTC, and the site from the command line', async () => {
    const { request, key, notes } = await read(fields);
    expect(request).toMatchObject({ site: Site.IO, slug: 'a-b', summary: '', tags: ['one', 'two'], publish: true });
    expect(request.publishedAt).toEqual(new Date('2026-02-03T00:00:00Z'));
    expect(key).toBe('io/a-b');
    expect(notes).toEqual([]);
  });

  it('prefers the site in the file', async () => {
    expect((await read({ ...fields, site: 'org' })).request.site).toBe(Site.ORG);
  });

  it('uses the revision that the export wrote, but not with --overwrite', async () => {
    const exported = { ...fields, revision: '7' };
    expect((await read(exported, { reason: 'typos' })).request).toMatchObject({ expectedRevision: 7, reason: 'typos' });
    expect((await read(exported, { overwrite: true })).request.expectedRevision).toBe(0);
    await expect(read({ ...fields, revision: 'last' })).rejects.toThrow('revision: must be a whole number from 1');
  });

  it('names all wrong fields at once', async () => {
    const bad = { title: ['a'], tags: { a: 'b' }, published_at: '2026-02-31' };
    await expect(read(bad, { body: ' \n', site: undefined })).rejects.toThrow(
      /^title: must be text; published_at: .*; site: .*; tags: .*; body: is empty$/,
    );
  });

  it('lists unknown fields', async () => {
    expect((await read({ ...fields, sumary: 'x' })).notes).toEqual(['ignored: sumary']);
  });

  it.each([
    ['Hugo, YAML', 'posts/my-post.md', 'date: 2020-01-02', { slug: 'my-post', publishedAt: at('2020-01-02') }],
    [
      'Hugo, TOML',
      'posts/My Bundle/index.md',
      '+++\ntitle = "T"\ndate = 2020-01-02T10:00:00+02:00\npublishDate = 2020-01-03T00:00:00Z\ntags = ["SSO", "c"]\ndescription = "D"\n+++\nx',
      { slug: 'my-bundle', publishedAt: at('2020-01-03'), tags: ['sso', 'c'], summary: 'D' },
    ],
    [
      'Jekyll',
      '_posts/2019-03-04-hello-world.markdown',
      '---\nlayout: post\ncategories: [Team news]\nlang: pt_BR\n---\nx',
      {
        slug: 'hello-world',
        title: 'Hello world',
        publishedAt: at('2019-03-04'),
        tags: ['team-news'],
        language: 'pt-BR',
      },
    ],
    [
      'Zola',
      'content/2020-01-01_post.md',
      '\n+++\ntitle = "T"\ndate = 2020-01-02\n[taxonomies]\ntags = ["a"]\ncategories = ["C++"]\n+++\nx',
      { slug: 'post', publishedAt: at('2020-01-02'), tags: ['a', 'c-plus-plus'] },
    ],
    [
      'Obsidian',
      'My note.md',
      '---\ntags:\n  - "#deep/work"\n---\n\n# My note\n\nx',
      { title: 'My note', body: 'x', tags: ['deep-work'] },
    ],
    ['dev.to', 'a.md', 'published: true\ntags: a, b c', { publish: true, tags: ['a', 'b-c'] }],
    [
      'Docusaurus',
      'blog/2021-08-26-welcome/index.mdx',
      '---\nslug: /deep/welcome\nauthors:\n  - name: Ada\n  - bob\ntags: [{label: One, permalink: /1}]\nkeywords: [k]\n---\n# Hi *you*\nx',
      { slug: 'welcome', title: 'Hi you', author: 'Ada, bob', tags: ['one', 'k'], publishedAt: at('2021-08-26') },
    ],
    [
      'Ghost',
      'a.md',
      'custom_excerpt: E\ndate_published: 2020-01-02\nstatus: published',
      { summary: 'E', publish: true, publishedAt: at('2020-01-02') },
    ],
    ['WordPress', 'a.md', 'excerpt: E\ndate: 2020-01-02 10:00:00\nstatus: publish', { summary: 'E', publish: true }],
  ])('reads the fields of %s', async (_, path, text, expected) => {
    const whole = text.includes('\nx') ? text : `---\ntitle: T\n${text}\n---\nx`;
    expect((await readText(whole, path)).request).toMatchObject(expected);
  });

  it.each([
    ...['draft: true', 'Draft: yes', 'draft: soon', 'published: false', 'published: "no"', 'publish: false'],
    ...['unlisted: true', 'private: true', 'status: draft', 'status: private', 'post_status: draft'],
    ...['build: {render: never}', '_build:\n  render: false\n  list: never', 'build: {list: never}'],
    ...['visibility: members', 'password: x', 'expiryDate: 2020-01-01'],
  ])('does not publish what is not public there: %s', async (line) => {
    const { request, notes } = await readText(`---\ntitle: T\n${line}\n---\nx`, 'a.md', { schedule: true });
    expect(request).toMatchObject({ publish: false, withheld: expect.any(String) });
    expect(notes.join()).toContain('not published: ');
  });

  it.each([
    ...['draft: false', 'draft:', 'published: 2020-01-01', 'publish: true', 'status: evergreen'],
    ...['post_status: publish', 'build: {render: always, list: local}', 'visibility: public'],
  ])('publishes what is public there: %s', async (line) => {
    expect((await readText(`---\ntitle: T\n${line}\n---\nx`)).request).toMatchObject({ publish: true });
  });

  it('does not publish drafts of TOML, of _drafts, and files without fields', async () => {
    expect((await readText('+++\ndraft = true\n+++\n# T\nx')).request.publish).toBe(false);
    expect((await readText('---\ntitle: T\n---\nx', '_drafts/a.md')).request.publish).toBe(false);
    const badge = await readText('# Read [![b](https://a.b/c)](https://a.b) `a < b` c > d\nx', 'README.md');
    expect(badge.request).toMatchObject({ publish: false, slug: 'readme', title: 'Read a < b c > d' });
    await expect(readText('no heading')).rejects.toThrow('has no front matter and no heading');
    await expect(readText('+++\n+++\nx', 'a/_index.md')).rejects.toThrow(LeftOut);
  });

  it('schedules a date in the future only when asked', async () => {
    const text = '---\ntitle: T\ndate: 2099-01-01\n---\nx';
    expect((await readText(text)).request.publish).toBe(false);
    expect((await readText(text, 'a.md', { publish: false, schedule: true })).request.publish).toBe(true);
  });

  it('takes a text over several lines as one line where we have one, without spaces around', async () => {
    const { request } = await readText('---\ntitle: >\n  A\n  b\nauthor: |\n  Ada\nsummary: "  S  "\n---\nx');
    expect(request).toMatchObject({ title: 'A b', author: 'Ada', summary: 'S' });
    expect((await read({ ...fields, title: '  Padded \t', author: ' Ada ' })).request.title).toBe('Padded');
  });

  it('recognises the language of a text that does not declare one', async () => {
    const text = 'Wir haben die Migration an einem Wochenende gemacht, und niemand hat es gemerkt.';
    expect((await read(fields, { body: text })).request.language).toBe('de');
    expect((await read({ ...fields, lang: 'nl' }, { body: text })).request.language).toBe('nl');
  });

  it('says how it maps slug and tags, and names those that it leaves out', async () => {
    const tags = ['SSO', 'single sign on', '—', ...Array.from({ length: 11 }, (_, n) => `t${n}`)];
    const { request, notes } = await read({ ...fields, slug: 'archive/2024/upper', tags });
    expect(request).toMatchObject({ slug: 'upper', slugFrom: 'slug archive/2024/upper' });
    expect(request.tags).toHaveLength(12);
    expect(notes).toEqual([
      'slug mapped: archive/2024/upper is upper',
      'tags mapped: SSO is sso, single sign on is single-sign-on',
      expect.stringMatching(/^tags left out, .*: —, t10$/),
    ]);
  });

  it('names the syntax that pages show as typed, by the lines of the file', async () => {
    const text = `---\ntitle: T\n---\n\nA\n{{< figure >}}\n\n\`{{< code >}}\`\n\n:::tip\n\n{% include x %} [[wiki]]\n\n    [[code]]\n\nimport X from 'x'\n\n![i](i.png)\n\n<!-- c -->\n`;
    const { notes } = await readText(text);
    expect(notes).toEqual([
      'language recognised: en',
      'slug from the file name: a',
      'shortcodes shown as typed: line 6',
      'containers shown as typed: line 10',
      'template tags shown as typed: line 12',
      'wikilinks shown as typed: line 12',
      'MDX code shown as typed: line 16',
      'HTML comments shown as typed: line 20',
      expect.stringMatching(/^Links that lead nowhere.*: i\.png \(line 18\)$/),
    ]);
  });

  it.each([
    ['comments of Obsidian', 'a %%b%% c', '%%\n\nb'],
    ['callouts', '> [!warning]- T\n> x', '> [!faq] T\n> x'],
    ['highlights', 'a ==b c== d'],
    ['block ids', 'text ^a1b2', '^block-id'],
    ['attributes', '# H {#id .class}', '[x]{.mark}', '[]{#_Toc12}', '![i](https://a.b/c.png){width=50%}', 'a\n{: .b}'],
    ['grid tables', '+---+---+\n| a | b |', '+===+===+'],
    ['maths', '$x$ a', '$E = mc^2$', '$2^n$', '$2n$', '$$\na', '$$ x = 1 $$', 'a $\\alpha_1$, b', '($f(a, b)$)'],
    ['emoji names', ':rocket:', 'a :+1: b'],
  ])('names %s, which pages show as typed', (name, ...texts) => {
    for (const text of texts) expect(foreignSyntax(text, 0)).toEqual([expect.stringContaining(`${name} shown as`)]);
  });

  it.each([
    '$5 and $10, costs $5, or 10$, $20/month = $240/year, US ($) = (C$)',
    '$HOME/$PATH',
    '$(a)/$(b) Ke$ha A$',
    '10:30:45 key:value:more std::vector::size fe80::1:2',
    'C++ a == b, if a==b and c==d',
    'x ^2 ^-^ 50% and 100% a {b} {1, 2}\n\n+--',
    '`==x== $x$ :a: %%x%% {.a}`\n\n```\n==x== $x$ :a: %%\n+---+\n```\n\n> [!NOTE]\n> x',
  ])('has no note about the prose or code %j', (text) => {
    expect(foreignSyntax(text, 0)).toEqual([]);
  });
});

describe('readObject', () => {
  it('uses the kind knowledge by default', () => {
    const { request } = readObject(
      { fields: { id: 'ABC', title: 'T' }, body: 'x', before: 0 },
      { site: 'org', reason: '' },
    );
    expect(request).toMatchObject({ id: 'abc', kind: 'OBJECT_KIND_KNOWLEDGE', site: Site.ORG });
  });

  it('refuses an unknown kind', () => {
    const bad = { fields: { id: 'a', title: 'T', kind: 'recipe' }, body: 'x', before: 0 };
    expect(() => readObject(bad, { site: 'org', reason: '' })).toThrow(
      'kind: must be one of story, prompt_reply, knowledge',
    );
  });
});

it.each(['---\ntitle: x\n', '---\ntitle: x\nslug: x\n---\nA body.'])(
  'refuses %j as the file of a draft, by its name',
  async (source) => {
    const read = readArticleFile(Buffer.from(source), 'x.md', undefined);
    await expect(read).rejects.toMatchObject({ name: 'UsageError', message: expect.stringMatching(/^x\.md: /) });
  },
);
