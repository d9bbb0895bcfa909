import { expect, it } from 'vitest';
import { searchGaps, type WeekCount } from './search-gaps.js';
import { estimateReaders, leastReaders, type Sketch, sketchOf } from './sketch.js';

const readers = (count: number, from = 0): Sketch =>
  Array.from({ length: count }, (_, at) => sketchOf(from + at)).reduce((all, one) => all | one, 0n);
const week = (words: string, searched: Sketch, part: Partial<WeekCount> = {}): WeekCount => ({
  ...{ words, searched, missed: 0n, read: 0n },
  ...part,
});

it('counts the bits, also the highest, and estimates readers', () => {
  expect([0n, 1n, 1n << 63n, -1n, readers(5)].map(leastReaders)).toEqual([0, 1, 1, 64, 5]);
  expect([0, 1, 5, 20, 63, 64].map((count) => estimateReaders(readers(count)))).toEqual([0, 1, 5, 24, 266, 266]);
  expect(sketchOf(64)).toBe(sketchOf(0));
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
