import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { SearchField, SearchResponse } from '@knowledge/proto/knowledge/content/v1/search';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { expect, it } from 'vitest';
import { SearchResultsSchema } from '../protocol/search.js';
import { sites } from '../testing/stand-ins.js';
import { presentSearch, type SearchTerms } from './search.js';

const terms: SearchTerms = {
  site: 'io',
  q: 'how & why?',
  kind: '',
  language: 'de',
  tag: '',
  author: '',
  limit: 2,
  isBrief: false,
};
const found = SearchResponse.fromPartial({
  hits: [
    {
      entry: {
        $case: 'article',
        value: { site: Site.IO, slug: 'how', title: 'How', language: 'de', readingTokens: 7 },
      },
      score: 0.123456,
      matched: [{ word: 'how', found: ['How'], fields: [SearchField.TITLE, SearchField.UNRECOGNIZED] }],
      snippet: { text: 'This is how.', heading: '' },
      gloss: { title: 'How', summary: '' },
    },
    {
      entry: {
        $case: 'object',
        value: { id: '28f35209-4064-49ab-8c97-7f49b4919cd9', site: Site.ORG, kind: ObjectKind.STORY },
      },
      weak: true,
    },
    {},
  ],
  total: 12,
  facets: [{ field: 'language', values: [{ value: 'de', count: 11 }, { count: 1 }] }],
  didYouMean: 'who & why',
  otherSites: [{ site: Site.ORG, total: 3 }],
  nextPageToken: 'next',
});
const ajv = new Ajv2020({ allErrors: true, strict: false });
formatsPlugin.default(ajv);
const validate = ajv.compile(SearchResultsSchema);

it('shows articles and objects with what was found in them', () => {
  const shown = presentSearch(found, terms, sites);
  validate(shown);
  expect(validate.errors).toBeNull();
  expect(shown).toMatchObject({
    site: 'io',
    total: 12,
    facets: { language: [{ value: 'de', count: 11 }], tag: [], kind: [] },
    did_you_mean: 'who & why',
    entries: [
      {
        ...{ kind: 'article', site: 'io', slug: 'how', score: 0.1235, weak: false, reading_tokens: 7 },
        matched: [{ word: 'how', found: ['How'], fields: ['title'] }],
        snippet: { text: 'This is how.', heading: null },
        gloss: { title: 'How', summary: '' },
      },
      { kind: 'story', site: 'org', weak: true, snippet: null, gloss: null },
    ],
  });
  expect(shown.entries).toHaveLength(2);
});

it('repeats the search in its URLs, each at the base URL of its site', () => {
  const { next_url, other_sites } = presentSearch(found, terms, sites);
  const query = 'q=how+%26+why%3F&language=de&limit=2';
  expect(next_url).toBe(`https://io.example/api/v1/search?site=io&${query}&cursor=next`);
  expect(other_sites).toEqual([
    { site: 'org', total: 3, search_url: `https://org.example/api/v1/search?site=org&${query}` },
  ]);
  const all = presentSearch(found, { ...terms, site: 'all' }, sites);
  expect(all.next_url).toContain('https://org.example/api/v1/search?site=all&');
});

it('repeats nothing else that a route knows', () => {
  const route = { ...terms, cursor: 'this-page', home: 'org' } as SearchTerms;
  expect(presentSearch(found, route, sites)).toEqual(presentSearch(found, terms, sites));
});

it('leaves out of brief entries what nobody needs to choose one', () => {
  const shown = presentSearch(found, { ...terms, isBrief: true }, sites);
  validate(shown);
  expect(validate.errors).toBeNull();
  expect(shown.facets).toBeUndefined();
  expect(shown.next_url).toContain('fields=brief');
  expect(Object.keys(shown.entries[0] ?? {})).toEqual([
    ...['slug', 'title', 'summary', 'language', 'published_at', 'updated_at', 'api_url', 'reading_tokens'],
    ...['kind', 'site', 'score', 'weak'],
  ]);
  const withPassages = presentSearch(found, { ...terms, isBrief: true, passages: 2 }, sites);
  validate(withPassages);
  expect(validate.errors).toBeNull();
  expect(withPassages.entries[0]).toHaveProperty('snippet');
});

it('says why nothing can be found by the words', () => {
  const noWords = SearchResponse.fromPartial({ noWords: true });
  expect(presentSearch(noWords, { ...terms, q: '?!' }, sites).hint).toContain('no word');
  expect(presentSearch(SearchResponse.fromPartial({}), terms, sites).hint).toBe(
    'Nothing was found. Search without the filter language. Try fewer or other words, or another language.',
  );
});

it('says what it means if all hits are weak', () => {
  expect(presentSearch(found, terms, sites).hint).toBeNull();
  const hits = found.hits.map((hit) => ({ ...hit, weak: true }));
  const weak = SearchResponse.fromPartial({ ...found, hits, allWeak: true });
  expect(presentSearch(weak, terms, sites).hint).toMatch(
    /^All hits here are weak.*better spelling first\. The other site has texts that fit/,
  );
});

it('has null and empty lists where nothing was found', () => {
  expect(presentSearch(SearchResponse.fromPartial({}), terms, sites)).toMatchObject({
    ...{
      total: 0,
      did_you_mean: null,
      hint: expect.stringMatching(/^Nothing/),
      other_sites: [],
      entries: [],
      next_cursor: null,
      next_url: null,
    },
    facets: { language: [], tag: [], kind: [] },
  });
});
