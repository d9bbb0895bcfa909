import { expect, it } from 'vitest';
import { checkHighlights } from './highlights.js';

it('takes 50 different slugs with notes', () => {
  const choices = Array.from({ length: 50 }, (_, index) => ({ slug: `a-${index}`, note: 'x'.repeat(500) }));
  expect(() => checkHighlights(choices)).not.toThrow();
  expect(() => checkHighlights([...choices, { slug: 'more', note: '' }])).toThrow(/at most 50/);
});

it('names every fault with its place', () => {
  const choices = [
    { slug: 'a', note: '' },
    { slug: 'a', note: '' },
    { slug: 'B', note: 'x'.repeat(501) },
  ];
  expect(() => checkHighlights(choices)).toThrow(
    /highlights\[1\]\.slug names a again; highlights\[2\]\.slug must .*; highlights\[2\]\.editor_note must/,
  );
});
