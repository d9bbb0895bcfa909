import { expect, it } from 'vitest';
import { decodePostings, encodePostings } from './postings.js';
import { byBlock, RecentTexts, recentText, withTexts } from './recent-texts.js';

const once = [0, 0, 0, 0, 0, 1, 0];
const words = (body: string) => recentText({ prepared: ['', '', '', '', '', body, ''].join('\n'), german: '' });
const blocks = [{ block: 1, postings: encodePostings([1, 2].map((slot) => ({ slot, counts: once }))) }];
const numbers = (of: typeof blocks | ReturnType<typeof withTexts>) =>
  of.flatMap(({ block, postings }) => decodePostings(postings).map(({ slot }) => block * 2048 + slot));

it('puts texts into postings and takes them out, whether they are merged or not', () => {
  const texts = byBlock(
    new Map([
      [5, words('okapi')],
      [2049, words('zebra')],
      [2050, words('okapi okapi')],
      [2051, undefined],
      [9000, words('okapi')],
    ]),
  );
  const changed = withTexts(blocks, 'okapi', texts);
  expect(numbers(changed)).toEqual([5, 2050, 9000]);
  expect(numbers(withTexts(changed, 'okapi', texts))).toEqual([5, 2050, 9000]);
  expect(withTexts(blocks, 'okapi', byBlock(new Map([[7, words('zebra')]])))).toBe(blocks);
  const none = new Map([2049, 2050].map((text) => [text, undefined]));
  expect(withTexts(blocks, 'okapi', byBlock(none))).toEqual([]);
});

it('keeps the last form of a text until its last change is merged', () => {
  const recent = new RecentTexts();
  recent.put(new Map([[1, words('okapi')]]), 10);
  const { current } = recent;
  recent.put(
    new Map([
      [1, words('zebra')],
      [2, words('okapi')],
    ]),
    11,
  );
  recent.put(new Map([[3, undefined]]), 12);
  recent.drop(10);
  expect([...recent.current.keys()]).toEqual([1, 2, 3]);
  expect(recent.current.get(1)?.counts.has('zebra')).toBe(true);
  expect([...current.keys()]).toEqual([1]);
  recent.drop(11);
  expect([...recent.current.keys()]).toEqual([3]);
  recent.drop(12);
  expect([recent.size, recent.bytes]).toEqual([0, 0]);
});
