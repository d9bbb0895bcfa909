import { expect, it } from 'vitest';
import { segmentsOf } from './odd-characters.js';

const shown = (text: string): string =>
  segmentsOf(text)
    .map((each) => ('text' in each ? each.text : `⟦${each.code}⟧`))
    .join('');

it('names every character that nobody sees', () => {
  expect(segmentsOf('a\u{e0069}b\u202ec')).toEqual([
    { text: 'a' },
    { code: 'U+E0069', name: 'Unicode tag' },
    { text: 'b' },
    { code: 'U+202E', name: 'right-to-left override' },
    { text: 'c' },
  ]);
});

it.each([
  ['over\rwritten', 'over⟦U+000D⟧written'],
  ['\u001b[2J', '⟦U+001B⟧[2J'],
  ['a\u00a0b\u2003c', 'a⟦U+00A0⟧b⟦U+2003⟧c'],
  ['\ue000 \ud800', '⟦U+E000⟧ ⟦U+D800⟧'],
  ['😀\u200bb', '😀⟦U+200B⟧b'],
  ['a&#8203;b', 'a⟦U+200B⟧&#8203;b'],
])('shows %j as %s', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

it.each(['line\n\tindented', 'می‌خواهم', '👩‍💻 and 🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'zażółć gęślą', ''])(
  'leaves alone what scripts and emoji need: %j',
  (text) => {
    expect(shown(text)).toBe(text);
  },
);

it('takes the longest text of nothing but hidden characters in a moment', () => {
  expect(segmentsOf('\u200b'.repeat(8000))).toHaveLength(8000);
});
