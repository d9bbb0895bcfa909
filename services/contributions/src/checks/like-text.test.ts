import { describe, expect, it } from 'vitest';
import { copiedShingles, percentIn, searchFor } from './similarity.js';

const part = `We moved four plants to the new system over one weekend. On Monday nobody noticed, because the team had tested
the restore twice. The fifth plant moved us: its printers needed a driver that nobody had listed anywhere.`;

describe('a copy', () => {
  it('of a part of a longer text is found whole, in whatever case and marks', () => {
    const long = `# A title\n\n${'Something else stands before it. '.repeat(200)}\n\n${part}\n\n${'And after. '.repeat(200)}`;
    const shingles = copiedShingles(part.toUpperCase().replace('WEEKEND', '**WEEKEND**')) ?? new Set();
    expect(percentIn(long, shingles)).toBeGreaterThan(95);
    expect(percentIn('Something else stands before it. '.repeat(200), shingles)).toBeLessThan(10);
  });

  it('is no short sentence', () => {
    expect(copiedShingles('Thank you, this article helped us much.')).toBeUndefined();
  });
});

describe('the search for the text that was copied', () => {
  it('has at most twelve words, from every third of the text, and fits into a query', () => {
    const query = searchFor(`${part} https://example.org/a-very-long-path-of-a-link`);
    expect(query.split(' ').length).toBeLessThanOrEqual(12);
    for (const word of ['weekend', 'because', 'printers']) expect(query).toContain(word);
    expect(query).not.toContain('path');
    expect(searchFor('数据库迁移'.repeat(1600)).length).toBeLessThanOrEqual(12 * 25);
    expect(searchFor('… !')).toBe('');
  });
});
