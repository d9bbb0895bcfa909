import { Type } from 'typebox';
import { limits } from './limits.js';
import type { Operation } from './operation.js';
import { languagePattern } from './patterns.js';
import { compressedHeaders } from './response-headers.js';
import { PageQuery } from './schemas.js';
import { SearchResultsSchema, searchKinds } from './search-schemas.js';

/** The choices of the filter `kind`; `object` is every kind but articles. */
export const kindFilters = ['article', 'object', ...searchKinds.slice(1)] as const;

export const search = {
  id: 'search',
  endpoint: 'search',
  method: 'GET',
  path: '/api/v1/search',
  summary: 'Search articles and objects',
  description:
    'Best match first, by the whole question: other forms of words, synonyms, typing errors and other languages are found. Each entry has the words found, its best passage and its length in tokens. What fits badly is weak; if all hits are, all_weak and hint say so. Costs no quota.',
  auth: 'none',
  query: Type.Object({
    q: Type.String({
      minLength: 1,
      maxLength: limits.query.max,
      description: 'What you want to know, in any language: a question or words.',
    }),
    site: Type.Optional(
      Type.Enum(['io', 'org', 'all'], {
        description: 'The site to search, or all. By default the site of the host, else the default site.',
      }),
    ),
    kind: Type.Optional(
      Type.Enum([...kindFilters], { description: 'Only this kind; object is every kind but articles.' }),
    ),
    language: Type.Optional(
      Type.String({
        maxLength: limits.language.max,
        pattern: languagePattern,
        description: 'Only texts in this language, such as de.',
      }),
    ),
    tag: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.tag.max,
        description: 'Only articles with this tag, in any case.',
      }),
    ),
    author: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.name.max,
        description: 'Only texts by this author: the name, or words of it.',
      }),
    ),
    fields: Type.Optional(
      Type.Enum(['full', 'brief'], {
        default: 'full',
        description: 'brief: entries with only what is needed to choose one, and no facets.',
      }),
    ),
    passages: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3, default: 1, description: 'The most passages that an entry shows.' }),
    ),
    cursor: PageQuery.cursor,
    limit: Type.Optional(
      Type.Integer({
        minimum: limits.searchSize.min,
        maximum: limits.searchSize.max,
        default: limits.searchSize.default,
        description: 'The number of entries on a page.',
      }),
    ),
  }),
  responses: { 200: SearchResultsSchema },
  responseHeaders: compressedHeaders,
  errors: ['validation_error'],
} as const satisfies Operation;
