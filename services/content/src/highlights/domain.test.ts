import { expect, it } from 'vitest';
import { checkHighlights, joinHighlights, requirePublished, sameChoices } from './domain.js';

it('accepts 50 different slugs with notes', () => {
  const choices = Array.from({ length: 50 }, (_, index) => ({ slug: `a-${index}`, note: 'x'.repeat(500) }));
  expect(() => checkHighlights(choices)).not.toThrow();
  // What comes after the fiftieth is not even read.
  const more = [...choices, { slug: 'NOT A SLUG', note: '' }];
  expect(() => checkHighlights(more)).toThrow(/^highlights must be at most 50\.$/);
});

it('reports every fault with its place in the list', () => {
  const a = { slug: 'a', note: '' };
  expect(() => checkHighlights([a, a, { slug: 'B', note: 'x'.repeat(501) }])).toThrow(
    'highlights[1].slug names a again; highlights[2].slug must be the slug of a published article; highlights[2].editor_note must have at most 500 characters.',
  );
  expect(() => checkHighlights([{ slug: 'a', note: 'Two\nlines' }])).not.toThrow();
});

it('leaves out unpublished articles, and reports them to the editor', () => {
  const published = new Map([['a', { slug: 'a' }]]) as unknown as Parameters<typeof joinHighlights>[1];
  const choices = [
    { slug: 'gone', note: 'x' },
    { slug: 'a', note: 'y' },
  ];
  expect(joinHighlights(choices, published)).toEqual([{ entry: { slug: 'a' }, note: 'y' }]);
  expect(() => requirePublished(choices.slice(1), published)).not.toThrow();
  const fault = 'highlights[0].slug gone is not a published article of the site.';
  expect(() => requirePublished(choices, published)).toThrow(fault);
});

it('treats two lists as equal if their slugs, notes and order are equal', () => {
  const [a, b] = [{ slug: 'a', note: '' } as const, { slug: 'b', note: '' } as const];
  expect(sameChoices([a, b], [{ ...a }, { ...b }])).toBe(true);
  for (const other of [[b, a], [a], [a, b, b], [a, { ...b, note: 'x' }], [a, { ...b, slug: 'c' }]])
    expect(sameChoices([a, b], other)).toBe(false);
});
