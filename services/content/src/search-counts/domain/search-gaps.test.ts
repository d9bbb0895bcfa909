import { expect, it } from 'vitest';
import { estimateReaders, type ReaderNumber, readerNumber, searchGaps, type WeekCount } from './search-gaps.js';

const readers = (count: number, from = 0): ReaderNumber[] =>
  Array.from({ length: count }, (_, at) => readerNumber(from + at));
const week = (words: string, searched: readonly ReaderNumber[], part: Partial<WeekCount> = {}): WeekCount => ({
  ...{ words, searched, missed: [], read: [] },
  ...part,
});

it('has 64 numbers of readers, and estimates how many there are', () => {
  expect(new Set(readers(256)).size).toBe(64);
  expect([0, 1, 5, 20, 63, 64].map((count) => estimateReaders(readers(count)))).toEqual([0, 1, 5, 24, 266, 266]);
  expect(readerNumber(64)).toBe(readerNumber(0));
});

it('shows nothing below five readers', () => {
  expect(searchGaps([week('four', readers(4)), week('five', readers(5))], 10).map(({ words }) => words)).toEqual([
    'five',
  ]);
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
