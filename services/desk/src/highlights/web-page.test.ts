import { expect, it } from 'vitest';
import { changeLines, faultsOf, readHighlightForm } from './web-page.js';

const line = (slug: string) => ({ slug, title: slug.toUpperCase(), note: '' });
const lines = ['a', 'b', 'c'].map(line);

it('reads the lines in the order of the fields, also those named by figures', () => {
  const body = {
    ...{ 'title-b': 'B', 'note-b': ' why\r\nb ', 'title-7': '7', 'note-7': '', 'note-A/': 'x' },
    ...{ revision: '3', act: 'up:7', added: 'https://org.example/articles/c' },
  };
  expect(readHighlightForm({ body } as never)).toEqual({
    lines: [
      { slug: 'b', title: 'B', note: 'why\nb' },
      { slug: '7', title: '7', note: '' },
    ],
    ...{ revision: 3, act: 'up:7', added: 'c' },
  });
  const endless = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`note-a${index}`, '']));
  expect(() => readHighlightForm({ body: endless } as never)).toThrow('too many');
});

it.each([
  ['up:b', 'bac'],
  ['up:a', 'abc'],
  ['down:b', 'acb'],
  ['down:c', 'abc'],
  ['remove:b', 'ac'],
  ['remove:z', 'abc'],
  ['save', 'abc'],
])('changes the lines: %s', (act, order) => {
  expect(
    changeLines(lines, act)
      .map(({ slug }) => slug)
      .join(''),
  ).toBe(order);
});

it('puts a refusal into the line that it names', () => {
  const message =
    'highlights[1].slug b is not a published article of the site; highlights[2].editor_note must have at most 500 characters; highlights must be at most 50.';
  expect(faultsOf(message, lines)).toEqual({
    of: { b: 'b is not a published article of the site.', c: 'The note must have at most 500 characters.' },
    others: ['The list must have at most 50.'],
  });
});
