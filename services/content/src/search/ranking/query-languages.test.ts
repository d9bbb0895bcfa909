import { expect, it } from 'vitest';
import { splitWords } from '../analysis/words.js';
import { FactColumns } from '../index/fact-columns.js';
import { languagesOfQuery, languagesOfTexts } from './query-languages.js';

const facts = new FactColumns();
for (let text = 0; text < 60; text++) {
  const shown = { key: `article/org/${text}`, site: 'org', kind: 'article', author: '', tags: [] } as const;
  const language = text < 52 ? 'en' : text === 52 ? 'it' : 'de';
  facts.put(text, { ...shown, language, updatedAt: new Date(0) });
}
const index = { languages: ['en', 'it', 'de'], facts };

const languages = (query: string, found: Readonly<Record<string, readonly [how: string, texts: number[]]>> = {}) => {
  const alternatives = Object.entries(found).map(([word, [how, texts]]) => {
    const each = { texts: Uint32Array.from(texts), scores: new Float32Array(texts.length), terms: [word] };
    return [word, [{ how, found: each }]] as const;
  });
  return [...languagesOfQuery(splitWords(query), new Map(alternatives), index)].sort();
};

it('is in the languages that know most of its words', () => {
  expect(languages('wie und warum')).toEqual(['de']);
  expect(languages('comment et pourquoi')).toEqual(['fr']);
  expect(languages('xqzvw')).toEqual([]);
  expect(languages('')).toEqual([]);
});

it('knows words by the texts that have them, and not by what resembles them', () => {
  expect(languages('okapi', { okapi: ['form', [52]] })).toEqual(['it']);
  expect(languages('okapi', { okapi: ['form', [52, 55]] })).toEqual(['de', 'it']);
  expect(languages('okapi', { okapi: ['spelling', [52]] })).toEqual([]);
  expect(languages('okapi zebra', { okapi: ['form', [52, 55]], zebra: ['form', [55]] })).toEqual(['de']);
  expect(languages('wie okapi', { okapi: ['form', [55, 1]] })).toEqual(['de']);
});

it('looks at the first 50 of many texts', () => {
  const many = Uint32Array.from({ length: 60 }, (_, text) => text);
  expect([...languagesOfTexts(many, index)]).toEqual(['en']);
  expect([...languagesOfTexts(many.subarray(3), index)]).toEqual(['en', 'it']);
  expect([...languagesOfTexts(Uint32Array.of(55, 52), index)]).toEqual(['de', 'it']);
});
