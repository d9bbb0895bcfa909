import { describe, expect, it } from 'vitest';
import { formatTable } from './table.js';

const columns = [
  { header: 'slug', value: (each: { slug: string; title: string }) => each.slug },
  { header: 'title', value: (each: { slug: string; title: string }) => each.title, flexible: true },
];
const items = [
  { slug: 'a', title: 'A rather long title of an article' },
  { slug: 'longer', title: '日本語のとても長いタイトル' },
];

describe('formatTable', () => {
  it('shows everything where nobody gives a width', () => {
    expect(formatTable(items, columns, undefined)).toBe(
      'slug    title\na       A rather long title of an article\nlonger  日本語のとても長いタイトル',
    );
  });

  it('cuts what may give way, and counts wide characters twice', () => {
    expect(formatTable(items, columns, 24).split('\n')).toEqual([
      'slug    title',
      'a       A rather long t…',
      'longer  日本語のとても…',
    ]);
  });

  it('never cuts a column that must be whole', () => {
    expect(formatTable(items, columns, 5)).toContain('longer');
  });

  it('keeps a cell on its line and the terminal in peace', () => {
    const [, row] = formatTable(
      [{ slug: 'x', title: 'two\nlines \u001b[31mred \u202eback' }],
      columns,
      undefined,
    ).split('\n');
    expect(row).toBe('x     two lines \ufffd[31mred \ufffdback');
  });
});
