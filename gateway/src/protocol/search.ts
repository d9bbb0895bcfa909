import { sites } from '@knowledge/runtime';
import { publishedKindNames } from '@knowledge/runtime/product';
import { Type } from 'typebox';
import { ArticleEntrySchema, articleEntryExample } from './articles.js';
import { limits } from './limits.js';
import { ObjectEntrySchema } from './objects.js';
import { type Operation, publicRead } from './operation.js';
import { languagePattern } from './patterns.js';
import {
  answer,
  boundedText,
  count,
  hint,
  ignoredFields,
  named,
  nullable,
  nullableText,
  optionalNumber,
  optionalText,
  PageQuery,
  paging,
  SiteSchema,
  TagQuery,
  text,
  uri,
} from './schemas.js';
import { exampleListing } from './service-words.js';

/** The fields in which a search finds words. */
export const searchFields = ['title', 'tags', 'summary', 'author', 'headings', 'body', 'gloss'] as const;

/** What a search covers: a site, or both. */
export const searchSites = [...sites, 'all'] as const;

/** The kinds of text that a search finds. */
const searchKinds = ['article', ...publishedKindNames] as const;

const weak = Type.Boolean({
  description:
    'Little shows that the text is about q: it lacks most of it, or has words of it only apart. Read others first.',
});
const passage = Type.Object({
  text: text('Plain text, at most 300 characters.'),
  heading: nullableText('The heading above it; null before the first.'),
});
const snippet = nullable(passage, 'The passage of the text that fits best.');
const more_passages = Type.Optional(
  Type.Array(passage, { description: 'With passages=2 and 3: the next best ones, which have words of the query too.' }),
);
const gloss = nullable(
  Type.Object({ title: text(), summary: text() }),
  'An English title and summary by the editors, for a text in another language; null without one.',
);

const hitFields = {
  score: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'How well it fits; less than 0.5 if it is weak, else 0.5 and more.',
  }),
  weak,
  matched: Type.Array(
    Type.Object({
      word: text('As in the query.'),
      found: Type.Array(text(), { description: 'What stands in the text: other forms, synonyms, spellings.' }),
      fields: Type.Array(Type.Enum([...searchFields])),
    }),
    { description: 'The words of the query that were found.' },
  ),
  snippet,
  more_passages,
  gloss,
};

/** An article that a search found (gateway/PROTOCOL.md#search). */
export const ArticleHitSchema = named(
  'ArticleHit',
  Type.Object({
    kind: Type.Literal('article'),
    site: SiteSchema,
    ...ArticleEntrySchema.properties,
    ...hitFields,
  }),
);

/** A community object that a search found (gateway/PROTOCOL.md#search). */
export const ObjectHitSchema = named('ObjectHit', Type.Object({ ...ObjectEntrySchema.properties, ...hitFields }));

/** A hit with `fields=brief`: about half of a full one. */
export const BriefHitSchema = named(
  'BriefHit',
  Type.Object({
    kind: Type.Enum([...searchKinds]),
    site: SiteSchema,
    slug: Type.Optional(text('Only of an article.')),
    id: Type.Optional(text('Only of an object.')),
    title: text(),
    summary: text(),
    language: ObjectEntrySchema.properties.language,
    published_at: ArticleEntrySchema.properties.published_at,
    updated_at: ArticleEntrySchema.properties.updated_at,
    api_url: uri('Where to read it.'),
    score: hitFields.score,
    weak,
    snippet: Type.Optional(snippet),
    more_passages,
    reading_tokens: ArticleEntrySchema.properties.reading_tokens,
  }),
);

const facet = (description: string) => Type.Array(Type.Object({ value: text(), count: count() }), { description });

/** The response of a search (gateway/PROTOCOL.md#search). */
export const SearchResultsSchema = named(
  'SearchResults',
  answer({
    api_version: text(),
    site: Type.Enum([...searchSites]),
    total: count('All hits, also the weak ones and those on other pages.'),
    facets: Type.Optional(
      Type.Object(
        {
          language: facet('By language.'),
          tag: facet('By tag of articles.'),
          kind: facet('By kind.'),
        },
        {
          description: 'How many hits each value has, the most frequent first, at most 20 each. Not with fields=brief.',
        },
      ),
    ),
    did_you_mean: nullableText(
      'The query with words that hits contain in place of misspelled ones; null if none is better.',
    ),
    all_weak: Type.Boolean({
      description:
        'Whether all hits are weak, also those on other pages, or nothing is found. Mostly no text is about q then.',
    }),
    hint,
    other_sites: Type.Array(
      Type.Object({
        site: SiteSchema,
        total: Type.Integer({
          minimum: 0,
          maximum: 10,
          description: 'How many of the best 10 hits there are not weak.',
        }),
        search_url: uri('The same search there.'),
      }),
      { description: 'Empty with site=all.' },
    ),
    entries: Type.Array(Type.Union([ArticleHitSchema, ObjectHitSchema, BriefHitSchema]), {
      description: `Best first, at most ${limits.searchSize.max}. Articles and objects; brief entries with fields=brief.`,
    }),
    ...paging,
    ...ignoredFields,
  }),
);

/** The choices of the filter `kind`; `object` is every kind but articles. */
export const kindFilters = ['article', 'object', ...searchKinds.slice(1)] as const;

export const search = {
  ...publicRead,
  id: 'search',
  endpoint: 'search',
  path: '/api/v1/search',
  summary: 'Search articles and objects',
  description:
    'Best match first, by the whole question: other forms of words, synonyms, typing errors and other languages are found. Each entry has the words found, its best passage and its length in tokens. What fits badly is weak; if all hits are, all_weak and hint say so. Costs no quota.',
  query: Type.Object({
    q: boundedText(
      { min: 1, max: limits.query.max },
      'What you want to know: a question or words, in English or the language of the text.',
    ),
    site: Type.Optional(
      Type.Enum([...searchSites], {
        description: 'The site to search, or all. By default the site of the host, else the default site.',
      }),
    ),
    kind: Type.Optional(
      Type.Enum([...kindFilters], { description: 'Only this kind; object is every kind but articles.' }),
    ),
    language: optionalText(limits.language, 'Only texts in this language, such as de.', languagePattern),
    ...TagQuery,
    author: optionalText({ min: 1, max: limits.name.max }, 'Only texts by this author: the name, or words of it.'),
    fields: Type.Optional(
      Type.Enum(['full', 'brief'], {
        default: 'full',
        description:
          'brief: no facets, and entries with only what is needed to choose one; passages=2 and 3 show passages too.',
      }),
    ),
    passages: optionalNumber(limits.passages, 'The most passages that an entry shows.'),
    cursor: PageQuery.cursor,
    limit: optionalNumber(limits.searchSize, 'The number of entries on a page.'),
  }),
  responses: { 200: SearchResultsSchema },
  example: {
    onlyOrg: true,
    parameters: { q: 'SSO in a hospital', site: 'org', kind: 'article', author: 'Maren Holt', limit: 1 },
    responses: {
      200: {
        ...exampleListing,
        total: 1,
        facets: {
          language: [{ value: 'en', count: 1 }],
          tag: [
            { value: 'identity', count: 1 },
            { value: 'rollout', count: 1 },
            { value: 'support', count: 1 },
          ],
          kind: [{ value: 'article', count: 1 }],
        },
        did_you_mean: null,
        all_weak: false,
        hint: null,
        other_sites: [
          {
            site: 'io',
            total: 0,
            search_url:
              'https://knowledge.example/api/v1/search?site=io&q=SSO+in+a+hospital&kind=article&author=Maren+Holt&limit=1',
          },
        ],
        entries: [
          {
            kind: 'article',
            site: 'org',
            ...articleEntryExample,
            score: 0.6344,
            weak: false,
            matched: [
              { word: 'SSO', found: ['single'], fields: ['title', 'summary', 'body'] },
              { word: 'hospital', found: ['hospital'], fields: ['summary', 'body'] },
            ],
            snippet: {
              text: 'We are a regional hospital group: four sites, one laboratory, about 4,000 people with a login. Before this project a ward nurse had between five and nine passwords. The deadline of nine weeks came from outside, because the old password-reset tool lost its support contract at the end of the…',
              heading: null,
            },
            gloss: null,
          },
        ],
        next_cursor: null,
        next_url: null,
      },
    },
    messages: {
      validation_error: `limit: must be a whole number from ${limits.searchSize.min} to ${limits.searchSize.max}.`,
    },
  },
} as const satisfies Operation;
