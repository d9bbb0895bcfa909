import { expect, it } from 'vitest';
import { type Columns, formatTable } from './table.js';
import { plain } from './text.js';

const columns: Columns<{ slug: string; title: string }> = {
  slug: 'slug',
  title: { value: (each) => each.title, flexible: true },
};
const items = [
  { slug: 'a', title: 'A rather long title of an article' },
  { slug: 'longer', title: '日本語のとても長いタイトル' },
];

it('shows everything without a width', () => {
  expect(formatTable(items, columns, undefined)).toBe(
    'slug    title\na       A rather long title of an article\nlonger  日本語のとても長いタイトル',
  );
});

it('shortens flexible columns, and counts wide characters twice', () => {
  expect(formatTable(items, columns, 24).split('\n')).toEqual([
    'slug    title',
    'a       A rather long t…',
    'longer  日本語のとても…',
  ]);
});

it('keeps columns in line beside marks, joined emoji and symbols of one cell, and cuts none of them in two', () => {
  const named: Columns<{ title: string; state: string }> = {
    title: { value: 'title', flexible: true },
    state: 'state',
  };
  const titles = ['cafe\u0301', '👩\u200d💻 desk', 'A ↔ B™', '✔\ufe0f done'];
  const rows = titles.map((title) => ({ title, state: 'new' }));
  expect(formatTable(rows, named, undefined).split('\n')).toEqual([
    'title    state',
    'cafe\u0301     new',
    '👩\u200d💻 desk  new',
    'A ↔ B™   new',
    '✔\ufe0f done  new',
  ]);
  const long = [{ title: `cafe\u0301 👩\u200d💻👩\u200d💻👩\u200d💻 ${'x'.repeat(20)}`, state: 'new' }];
  expect(formatTable(long, named, 15).split('\n')[1]).toBe('cafe\u0301 👩\u200d💻…  new');
});

it('paints a heading and a state that it cuts as the whole, and no space', () => {
  const named: Columns<{ state: string; title: string }> = { state: { value: 'state', isState: true }, title: 'title' };
  const painted = formatTable([{ state: 'published', title: 'A title' }], named, 12, {
    ...plain,
    heading: (text) => `<${text}>`,
    state: (text) => (text === 'published' ? `[${text}]` : text),
  });
  expect(painted.split('\n')).toEqual(['<state>  <title>', '[publ…]  A ti…']);
});

it('shortens every column if nothing else helps', () => {
  for (const width of [8, 12, 17]) {
    for (const line of formatTable(items, columns, width).split('\n')) expect(line.length).toBeLessThanOrEqual(width);
  }
});

it('never shortens a column marked neverCut, and keeps the others readable', () => {
  const slug = 'what-we-learned-when-the-certificate-of-the-third-plant-expired';
  const articles = [
    { slug, title: 'An expired certificate of the third plant, again' },
    { slug: 'short-one', title: 'Short' },
  ];
  const named: Columns<(typeof articles)[number]> = {
    state: { value: () => 'draft', isState: true },
    title: { value: 'title', flexible: 20 },
    published: { value: () => '2026-11-22 00:00', dropPriority: 1 },
    slug: { value: 'slug', neverCut: true },
  };
  expect(formatTable(articles, named, 80).split('\n')).toEqual([
    'state  title                 published         slug',
    `draft  An expired certific…  2026-11-22 00:00  ${slug}`,
    'draft  Short                 2026-11-22 00:00  short-one',
  ]);
  expect(formatTable(articles, named, 50).split('\n')[1]).toBe(`draft  An expired certi…  ${slug}`);
  expect(formatTable(articles, named, 20).split('\n')[1]).toContain(slug);
  expect(formatTable(articles.slice(1), named, 80).split('\n')[1]).toBe('draft  Short  2026-11-22 00:00  short-one');
});

it('drops an empty column with a dropPriority on a terminal', () => {
  const marked = { ...columns, marks: { value: () => '', dropPriority: 1 } };
  expect(formatTable(items, marked, 80).split('\n')[0]).toBe('slug    title');
  expect(formatTable(items, marked, undefined).split('\n')[0]).toMatch(/ marks$/);
});

it('drops columns by dropPriority, highest first, before it shortens others', () => {
  const more = {
    ...columns,
    'first to go': { value: () => 'x', dropPriority: 2 },
    later: { value: () => 'y', dropPriority: 1 },
  };
  const heads = [60, 30, 20].map((width) => formatTable(items, more, width).split('\n')[0]?.split(/ {2,}/));
  expect(heads).toEqual([
    ['slug', 'title', 'first to go', 'later'],
    ['slug', 'title', 'later'],
    ['slug', 'title'],
  ]);
});

it('shortens ids on a terminal, but keeps them different', () => {
  const ids = ['1af2513e-aacb-439a-934c-c0b5593b4844', '1af2513e-baaa-439a-934c-c0b5593b4844'];
  const column = { id: { value: (id: string) => id, isId: true } };
  expect(formatTable(ids, column, 80)).toBe('id\n1af2513e-a\n1af2513e-b');
  expect(formatTable(ids.slice(1), column, 80)).toBe('id\n1af2513e');
  expect(formatTable(ids, column, undefined)).toContain(ids[1]);
});

it('removes line breaks and control characters from cells', () => {
  const [, row] = formatTable([{ slug: 'x', title: 'two\nlines \u001b[31mred \u202eback' }], columns, undefined).split(
    '\n',
  );
  expect(row).toBe('x     two lines \ufffd[31mred \ufffdback');
});

it('puts a field that is a number at the right', () => {
  const counts = [{ reads: 5 }, { reads: 12 }];
  expect(formatTable(counts, { reads: 'reads', state: () => 'new' }, undefined).split('\n')).toEqual([
    'reads  state',
    '    5  new',
    '   12  new',
  ]);
});

it('shows a field that names a time in UTC without seconds, and nothing as -', () => {
  const sent = [
    { sent_at: '2026-11-22T09:30:15.000Z', reason: 'late' },
    { sent_at: null, reason: null },
  ];
  expect(formatTable(sent, { sent: 'sent_at', why: 'reason' }, undefined).split('\n')).toEqual([
    'sent              why',
    '2026-11-22 09:30  late',
    '-                 -',
  ]);
});
