import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SearchText, TextKey } from '../index/search-text.js';
import { createTextIndex, type TextIndex } from '../index/text-index.js';
import { countFacets } from './facets.js';
import { readQuery } from './query.js';
import { rank } from './rank.js';
import { createSynonymRules } from './synonyms.js';

const text = (name: string, part: Partial<SearchText> = {}): SearchText => ({
  ...{ key: `article/org/${name}`, kind: 'article', site: 'org', language: 'en', title: name, summary: '', tags: [] },
  ...{ author: '', body: '', publishedAt: new Date(0), updatedAt: new Date(0), revision: 1, gloss: undefined, ...part },
});

function indexOf(...texts: SearchText[]): TextIndex {
  const index = createTextIndex();
  for (const each of texts) index.put(each);
  for (let filler = 0; filler < 10; filler++) index.put(text(`filler${filler}`, { body: 'nothing of it' }));
  return index;
}

function search(query: string, index: TextIndex, groups: Parameters<typeof createSynonymRules>[0] = []): string[] {
  const rules = createSynonymRules(groups, index.languages);
  return rank(readQuery(query, index, rules), index).map(({ key }) => key.split('/').at(-1) ?? '');
}

it('ranks a word in the title before one in the body, and both before one', () => {
  const index = indexOf(
    text('body', { body: 'an okapi' }),
    text('title', { title: 'Okapi' }),
    text('both', { title: 'Okapi and zebra' }),
  );
  expect(search('okapi zebra', index)).toEqual(['both', 'title', 'body']);
  expect(search('OKAPIS', index)).toEqual(['title', 'both', 'body']);
});

it('ranks words side by side before words far apart', () => {
  const far = `worst ${'and so on '.repeat(20)} hour`;
  const index = indexOf(text('far', { body: far }), text('near', { body: `${'and so on '.repeat(20)} worst hour` }));
  expect(search('worst hour', index)).toEqual(['near', 'far']);
});

it('finds phrases that mean the same, one way where the group says so', () => {
  const index = indexOf(text('long', { body: 'We use single sign-on.' }), text('short', { body: 'SSO failed.' }));
  const both = [{ words: ['SSO', 'single sign-on'], from: [] }];
  expect(search('sso', index, both).sort()).toEqual(['long', 'short']);
  expect(search('single sign-on', index, both).sort()).toEqual(['long', 'short']);
  const oneWay = [{ words: ['single sign-on'], from: ['sso'] }];
  expect(search('sso', index, oneWay).sort()).toEqual(['long', 'short']);
  expect(search('single sign-on', index, oneWay)).toEqual(['long']);
});

it('falls back to single words of the long form of an acronym that no text has', () => {
  const index = indexOf(text('part', { body: 'A plan for recovery.' }));
  expect(search('rto', index, [{ words: ['RTO', 'recovery time objective'], from: [] }])).toEqual(['part']);
});

it('finds beginnings of the last word, and other spellings of words that no text has', () => {
  const index = indexOf(text('a', { body: 'federation of clusters' }), text('b', { body: 'accessibility' }));
  expect(search('clus', index)).toEqual(['a']);
  expect(search('clustres', index)).toEqual(['a']);
  expect(search('clus accessibility', index)).toEqual(['b']);
});

it('finds one synonym for a whole phrase of the query', () => {
  const index = indexOf(
    text('translated', { body: 'Der Betriebsrat.', language: 'de' }),
    text('half', { body: 'works' }),
  );
  const groups = [{ words: ['works council', 'Betriebsrat'], from: [] }];
  expect(search('works council', index, groups)).toEqual(['translated', 'half']);
});

it('puts a synonym of several words before its words apart', () => {
  const index = indexOf(
    text('apart', { title: 'Trading', body: 'Partner alpha beta gamma delta message, gamma partner.' }),
    text('together', { body: 'We sent a partner message.' }),
  );
  expect(search('edi', index, [{ words: ['EDI', 'partner message'], from: [] }])).toEqual(['together', 'apart']);
});

it('corrects neither stop words, numbers, acronyms nor short words', () => {
  const index = indexOf(text('a', { body: 'chat 27001 clusters' }));
  expect(search('what', index)).toEqual([]);
  expect(search('27002', index)).toEqual([]);
  expect(search('CLUSTRES', index)).toEqual([]);
  expect(search('caht', index)).toEqual([]);
  expect(search('clustres', index)).toEqual(['a']);
});

it('leaves out bodies beyond its bound, and gives memory back when texts go', () => {
  const index = createTextIndex(1500);
  index.put(text('first', { body: 'okapi' }));
  index.put(text('second', { title: 'Zebra', body: 'okapi' }));
  expect(search('okapi', index)).toEqual(['first']);
  expect(search('zebra', index)).toEqual(['second']);
  index.put(text('third', { title: 'Quagga' }));
  expect(search('quagga', index)).toEqual([]);
  expect(index).toMatchObject({ isFull: true, leftOut: 1 });
  for (const name of ['first', 'second', 'third']) index.remove(`article/org/${name}`);
  expect(index).toMatchObject({ size: 0, bytes: 0, languages: [], leftOut: 0 });
});

it('counts values, the most frequent first', () => {
  const index = indexOf(text('a', { tags: ['x', 'y'] }), text('b', { tags: ['y'], language: 'de-AT' }));
  const keys: TextKey[] = ['article/org/a', 'article/org/b'];
  const texts = Uint32Array.from(keys, (key) => index.facts.numberOf(key) ?? -1);
  expect(countFacets([texts], index.facts)).toEqual([
    {
      field: 'language',
      values: [
        { value: 'de', count: 1 },
        { value: 'en', count: 1 },
      ],
    },
    {
      field: 'tag',
      values: [
        { value: 'y', count: 2 },
        { value: 'x', count: 1 },
      ],
    },
    { field: 'kind', values: [{ value: 'article', count: 2 }] },
  ]);
});

it('ranks for any query without a throw, each text once, by score', () => {
  const index = indexOf(text('a', { title: 'Okapi and zebra', body: 'one two three' }), text('b', { body: 'zebra' }));
  const rules = createSynonymRules([{ words: ['okapi', 'forest giraffe'], from: ['ok'] }], index.languages);
  const word = fc.constantFrom('okapi', 'zebra', 'zebar', 'ok', 'the', 'forest', 'giraffe', 'x', '*', '"', '-', 'tw');
  const query = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 500 }),
    fc.array(word, { maxLength: 100 }).map((words) => words.join(' ')),
  );
  fc.assert(
    fc.property(query, (each) => {
      const ranked = rank(readQuery(each, index, rules), index);
      expect(new Set(ranked.map(({ key }) => key)).size).toBe(ranked.length);
      for (const [at, { score }] of ranked.entries()) {
        expect(Number.isFinite(score)).toBe(true);
        expect(score).toBeLessThanOrEqual(ranked[at - 1]?.score ?? score);
      }
    }),
  );
});
