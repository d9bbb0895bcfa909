import { expect, it } from 'vitest';
import { layoutOf } from './text-layout.js';

const text = [
  'Before.',
  '# One',
  'text',
  '## Two `code` [link](http://a.example)',
  'more',
  '> # Quoted',
  '# One',
  'end',
].join('\n\n');

it('finds sections, with the anchors and levels of the page', () => {
  const { sections } = layoutOf(text);
  expect(sections.map(({ anchor, level, title }) => [anchor, level, title])).toEqual([
    ['one', 2, 'One'],
    ['two-code-link', 3, 'Two code link'],
    ['one-1', 2, 'One'],
  ]);
});

it('ends a section at the next heading of its level or a higher one', () => {
  const shown = layoutOf(text).sections.map(({ start, end }) => text.slice(start, end).split('\n\n').length);
  expect(shown).toEqual([6, 4, 2]);
});

it('counts the tokens of a section with those inside it', () => {
  const [one, two] = layoutOf(text).sections;
  expect(one?.tokens).toBeGreaterThan(two?.tokens ?? 0);
});

it.each(['', '\n\n', '[a]: http://a.example', '\r\n\r\nwords\rmore'])('covers %j', (each) => {
  const { blocks } = layoutOf(each);
  expect(blocks.map(({ start, end }) => each.slice(start, end)).join('')).toBe(each);
});
