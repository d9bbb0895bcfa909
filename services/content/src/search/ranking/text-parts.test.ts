import { expect, it } from 'vitest';
import { createCompounds } from '../analysis/compounds.js';
import { analyseBlocks } from '../index/analysed-blocks.js';
import type { SearchFacts } from '../index/search-text.js';
import { createTextParts } from './text-parts.js';

const text: SearchFacts = {
  ...{ key: 'article/org/okapi', kind: 'article', site: 'org', language: 'de', title: 'Okapi', summary: '', tags: [] },
  ...{ author: '', publishedAt: new Date(0), updatedAt: new Date(0), revision: 1 },
  gloss: undefined,
};
const blocks = analyseBlocks({ language: 'de', body: '# Zebras\n\nEin Quagga.' }, createCompounds());

it('finds the terms of each part with their places', () => {
  const found = createTextParts(100_000).read(text, blocks, createCompounds());
  const shown = found.map(({ field, text: own, terms, places }) => [
    field,
    terms.map((_, at) => own.slice(places[2 * at], places[2 * at + 1])),
  ]);
  expect(shown).toEqual([
    ['title', ['Okapi']],
    ['summary', []],
    ['author', []],
    ['headings', ['Zebras']],
    ['body', ['Quagga']],
  ]);
});

it('remembers them until the text, its gloss or the parts of compounds change', () => {
  const reader = createTextParts(100_000);
  const compounds = createCompounds();
  expect(reader.known(text, compounds)).toBeUndefined();
  const found = reader.read(text, blocks, compounds);
  expect(reader.known({ ...text, updatedAt: new Date(0) }, compounds)).toBe(found);
  expect(reader.known({ ...text, revision: 2 }, compounds)).toBeUndefined();
  expect(reader.known({ ...text, updatedAt: new Date(1) }, compounds)).toBeUndefined();
  expect(reader.known({ ...text, gloss: { title: 'Okapi', summary: '' } }, compounds)).toBeUndefined();
  compounds.learn('giraffenhals');
  expect(reader.known(text, compounds)).toBeUndefined();
});
