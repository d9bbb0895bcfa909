import { expect, it } from 'vitest';
import { countedWords, estimateReaders, readerNumber, searchGaps, type WeekCount } from './domain.js';

it.each([
  ['  Réversibilité: "fin d\'infogérance"? ', 'réversibilité fin d infogérance'],
  ['ＳＳＯ rollout', 'sso rollout'],
  ['ISO 27001', 'iso 27001'],
  ['tls 1.3', 'tls 1 3'],
  ['a b c d e f g h i j k l m n', 'a b c d e f g h i j k l'],
  ['日本語の検索', '日本語の検索'],
])('counts %s under its words', (query, words) => {
  expect(countedWords(query)).toBe(words);
});

it.each([
  ['no words', ' ?!… '],
  ['an address', 'ann@example.org sso'],
  ['an address in words', 'ann (at) example dot org'],
  ['a telephone number', 'call 0151 234567'],
  ...['ssn 123 45 6789', 'card 4111-1111-1111-1111', 'iban de89 3704 0044', 'server 192.168.44.55'].map((each) => [
    each,
    each,
  ]),
  ...['born 14. 3. 1987', 'from [2001:db8::1]:443', 'https://wiki.example/x'].map((each) => [each, each]),
  ['a secret', `cks${'a1'.repeat(25)}`],
])('leaves out %s', (_what, query = '') => {
  expect(countedWords(query)).toBeUndefined();
});

const readers = (count: number, from = 0): number[] =>
  Array.from({ length: count }, (_, at) => readerNumber(from + at));
const week = (words: string, searched: readonly number[], part: Partial<WeekCount> = {}): WeekCount => ({
  ...{ words, searched, missed: [], read: [] },
  ...part,
});

it('has 64 numbers of readers, and estimates how many there are', () => {
  expect(new Set(readers(256)).size).toBe(64);
  expect([0, 1, 5, 20, 63, 64].map((count) => estimateReaders(readers(count)))).toEqual([0, 1, 5, 24, 266, 266]);
  expect(readerNumber(64)).toBe(readerNumber(0));
});

it('shows nothing below five readers', () => {
  const gaps = searchGaps([week('four', readers(4)), week('five', readers(5))], 10);
  expect(gaps.map(({ words }) => words)).toEqual(['five']);
});

it('tells who found nothing from who read nothing', () => {
  const searched = readers(10);
  const [gap] = searchGaps([week('sso', searched, { missed: readers(3), read: readers(4, 3) })], 10);
  expect(gap).toEqual({ words: 'sso', readers: 11, notFound: 3, notRead: 3 });
});

it('takes the week with the most readers, and puts the largest gaps first', () => {
  const weeks = [
    week('read by all', readers(20), { read: readers(20) }),
    week('not found', readers(6), { missed: readers(6) }),
    week('not read', readers(9)),
    week('not read', readers(5)),
    week('a tie', readers(6), { missed: readers(6) }),
  ];
  const gaps = searchGaps(weeks, 3);
  expect(gaps.map(({ words, readers: count }) => [words, count])).toEqual([
    ['not read', 10],
    ['a tie', 6],
    ['not found', 6],
  ]);
});
