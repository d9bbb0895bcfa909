import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { removedMark } from '../product/rules.js';
import { type Block, differenceOf, patchOf, type Words, wordsAround } from './index.js';

const textsOf = (block: Block, side: 'removed' | 'added') =>
  'same' in block ? block.same : block[side].flatMap((line) => [line]);
const joined = (words: readonly Words[], side: 'removed' | 'added') =>
  words
    .filter((each) => each.in !== (side === 'removed' ? 'added' : 'removed'))
    .map(({ text }) => text)
    .join('');

it('is nothing where they are equal or differ only in line ends', () => {
  expect(differenceOf('a\nb', 'a\nb')).toEqual([]);
  expect(differenceOf('a\nb', 'a\r\nb\r\n')).toEqual([]);
});

it('has the changed lines with three lines around them', () => {
  const lines = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
  const [hunk, ...others] = differenceOf(lines.join('\n'), lines.with(4, 'five').join('\n'));
  expect(others).toEqual([]);
  expect(hunk).toMatchObject({
    header: '@@ -2,7 +2,7 @@',
    blocks: [{ same: ['2', '3', '4'] }, { removed: ['5'], added: ['five'] }, { same: ['6', '7', '8'] }],
  });
});

it('finds the words that changed inside lines', () => {
  const [hunk] = differenceOf('We took nine weeks.', 'We took ten short weeks.');
  const [block] = hunk?.blocks ?? [];
  if (block === undefined || 'same' in block) throw new Error('The line is not changed.');
  expect(block.words.filter((each) => each.in === 'removed').map(({ text }) => text)).toEqual(['nine']);
  expect(joined(block.words, 'added')).toBe('We took ten short weeks.\n');
});

it.each([
  ['Call +44 20 7946 0018 today.', '+44 20 7946 0018'],
  ['It was said by a moderator, or a friend, in May.', 'said by a moderator, or a friend,'],
  ['كان قال الصديق في مايو.', 'قال الصديق'],
])('shows a passage that was taken out as one, and then its mark: %s', (before, passage) => {
  const words = wordsAround(before, before.replace(passage, removedMark));
  const changed = words.filter((each) => each.in !== 'both').map(({ text, in: kind }) => [kind, text.trim()]);
  expect(changed).toEqual([
    ['removed', passage],
    ['added', removedMark],
  ]);
  expect(joined(words, 'removed').trim()).toBe(before);
});

it('keeps empty lines that were added or removed', () => {
  expect(differenceOf('a\nb', 'a\n\nb')[0]?.blocks).toMatchObject([
    { same: ['a'] },
    { removed: [], added: [''], words: [{ text: '\n', in: 'added' }] },
    { same: ['b'] },
  ]);
});

it('can be applied to the one and gives the other, for any texts', () => {
  const texts = fc.array(fc.constantFrom('a', 'b b', '', '-', '+x', '\\ No newline', '@@ -1 +1 @@', ' '), {
    maxLength: 14,
  });
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const [old = '', now = ''] = [before, after].map((lines) => `${lines.join('\n').replace(/\n$/, '')}\n`);
      const hunks = differenceOf(old, now);
      expect(applyPatch(old, patchOf(hunks))).toBe(now);
      for (const block of hunks.flatMap(({ blocks }) => blocks)) {
        if ('same' in block) continue;
        for (const side of ['removed', 'added'] as const)
          expect(joined(block.words, side)).toBe(
            textsOf(block, side)
              .map((line) => `${line}\n`)
              .join(''),
          );
      }
    }),
  );
});

it('of two large texts without a common line is the one after the other', () => {
  const large = (name: string) => Array.from({ length: 20_000 }, (_, at) => `${name} ${at}`).join('\n');
  const [hunk, ...others] = differenceOf(large('old'), large('new'));
  expect(others).toEqual([]);
  expect(hunk?.header).toBe('@@ -1,20000 +1,20000 @@');
  expect(hunk?.blocks).toHaveLength(1);
});
