import { describe, expect, it } from 'vitest';
import { bandsOf, copiedShingles, percentIn, searchFor, shinglesOf, similarity } from './similarity.js';

const english = `We moved four plants to the new system over one weekend. On Monday nobody noticed, because the team had
tested the restore twice. The fifth plant moved us: its printers needed a driver that nobody had listed.`;
const chinese =
  '我们在一个周末迁移了数据库，星期一没有人注意到。因为团队已经测试了两次恢复。第五个工厂需要一个没有人列出的驱动程序。';

const percent = (one: string, other: string): number => similarity(shinglesOf(one), shinglesOf(other));
const shareBand = (one: string, other: string): boolean => {
  const bands = new Set(bandsOf(shinglesOf(one)));
  return bandsOf(shinglesOf(other)).some((band) => bands.has(band));
};

describe('similarity', () => {
  it('is 100 for texts that differ only in case, accents, punctuation and hidden characters', () => {
    expect(percent(english, english.toUpperCase().replace(/[.,]/g, ' – ').replace(/e/g, 'é\u200b'))).toBe(100);
  });

  it('is 100 for texts that read the same, whatever is written for it', () => {
    const marks = english.replace('Monday', '**Mon**day').replace('weekend', '[weekend](https://example.org/a/b/c)');
    expect(percent(english, marks.replace(/e(?=[^(]*$)/g, '&#101;'))).toBe(100);
  });

  it.each([
    ['English', english, english.replace('four', 'three').replace('twice', 'once')],
    ['Chinese', chinese, chinese.replace('星期一', '星期二')],
  ])('is high for a small change in %s, and the texts share a band', (_, one, other) => {
    expect(percent(one, other)).toBeGreaterThan(70);
    expect(percent(one, other)).toBeLessThan(100);
    expect(shareBand(one, other)).toBe(true);
  });

  it('is low for another text, which shares no band', () => {
    const other =
      'The auditors asked for the list of vendors, and for each of them the owner, the contract and the risk.';
    expect(percent(english, other)).toBeLessThan(10);
    expect(shareBand(english, other)).toBe(false);
  });

  it('has no bands for a text without letters, and 16 for one of 8,000 characters', () => {
    expect(bandsOf(shinglesOf('… !'))).toEqual([]);
    expect(bandsOf(shinglesOf('abc def '.repeat(1000)))).toHaveLength(16);
    expect(percent('…', '!')).toBe(0);
  });

  // Of many pairs with about 60 % of their shingles in common, nearly all must be found.
  it('gives near duplicates a common band', () => {
    const words = Array.from({ length: 400 }, (_, at) => `word${(at * 7919) % 1000}x`);
    const pairs = Array.from({ length: 40 }, (_, round) => {
      const changed = words.map((word, at) => ((at * 31 + round) % 100 < 6 ? `other${at * round}` : word));
      return [words.join(' '), changed.join(' ')] as const;
    });
    expect(Math.min(...pairs.map(([one, other]) => percent(one, other)))).toBeGreaterThan(55);
    expect(pairs.filter(([one, other]) => shareBand(one, other)).length).toBeGreaterThan(35);
  });
});

const part = `We moved four plants to the new system over one weekend. On Monday nobody noticed, because the team had tested
the restore twice. The fifth plant moved us: its printers needed a driver that nobody had listed anywhere.`;

describe('a copy', () => {
  it('of a part of a longer text is found whole, in whatever case and marks', () => {
    const long = `# A title\n\n${'Something else stands before it. '.repeat(200)}\n\n${part}\n\n${'And after. '.repeat(200)}`;
    const shingles = copiedShingles(part.toUpperCase().replace('WEEKEND', '**WEEKEND**')) ?? new Set();
    expect(percentIn(long, shingles)).toBeGreaterThan(95);
    expect(percentIn('Something else stands before it. '.repeat(200), shingles)).toBeLessThan(10);
  });

  it('is no short sentence', () => expect(copiedShingles('Thank you, this article helped us much.')).toBeUndefined());
});

it('the search for the text that was copied has at most twelve words, from every third of the text, and fits into a query', () => {
  const query = searchFor(`${part} https://example.org/a-very-long-path-of-a-link`);
  expect(query.split(' ').length).toBeLessThanOrEqual(12);
  for (const word of ['weekend', 'because', 'printers']) expect(query).toContain(word);
  expect(query).not.toContain('path');
  expect(searchFor('数据库迁移'.repeat(1600)).length).toBeLessThanOrEqual(12 * 25);
  expect(searchFor('… !')).toBe('');
});
