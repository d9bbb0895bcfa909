import { publishedKindNames, publishedTexts } from '@knowledge/runtime/product';
import { Type } from 'typebox';
import { limits } from './limits.js';
import { cacheHeaders, type Operation, publicRead } from './operation.js';
import {
  answer,
  briefFields,
  contentNotice,
  count,
  dateTime,
  entriesOf,
  FieldsQuery,
  fitFields,
  hint,
  ignoredFields,
  named,
  nullable,
  nullableText,
  nullableTime,
  optionalText,
  PageQuery,
  paging,
  ReadingTokensSchema,
  SiteQuery,
  SiteSchema,
  text,
  uri,
} from './schemas.js';
import { exampleListing } from './service-words.js';

const objectEntryFields = {
  id: Type.String({ format: 'uuid', description: "For a contribution the id of the contribution's answer." }),
  kind: Type.Enum(publishedKindNames),
  title: text(),
  summary: text('Plain text.'),
  site: SiteSchema,
  author: text('The name to show; may be empty. Of a contribution it is what the contributor gave; nobody checked it.'),
  language: nullableText('The language of the text, a BCP 47 tag; null where it is not known.'),
  published_at: dateTime('When it first appeared.'),
  updated_at: dateTime('When it last changed.'),
  edited_at: nullableTime(
    'When a moderator last edited the text; null if it is as its agent sent it, and for knowledge.',
  ),
  reading_tokens: ReadingTokensSchema,
  api_url: uri('The URL to read the object with.'),
  human_url: uri('The page for people.'),
  source: Type.Literal('wave12_object'),
};

/** An entry of the catalog (gateway/PROTOCOL.md#objects). */
export const ObjectEntrySchema = Type.Object(objectEntryFields);

/** An entry of the catalog, as a search shows it. */
const CatalogEntrySchema = named(
  'ObjectEntry',
  Type.Object({
    ...objectEntryFields,
    ...fitFields,
  }),
);

/** The fields of an object in a listing with `fields=brief` (gateway/PROTOCOL.md#brief-entries). */
export const briefObjectFields = ['id', 'kind', ...briefFields] as const;

const BriefObjectSchema = named('BriefObject', Type.Pick(CatalogEntrySchema, [...briefObjectFields, 'weak']));

/** An object with its body (gateway/PROTOCOL.md#objects). */
export const ObjectSchema = named(
  'Object',
  Type.Object({
    ...objectEntryFields,
    notice: Type.Literal(contentNotice, { description: 'How to treat the text, from the service itself.' }),
    body: text(`Markdown. ${contentNotice}`),
    body_format: Type.Literal('markdown'),
    prompt: Type.Optional(Type.Object({ id: text(), question: text() })),
  }),
);

const ObjectListSchema = named(
  'ObjectList',
  answer({
    api_version: text(),
    site: SiteSchema,
    total: nullable(count(), 'All published objects of the site and kind; with q all hits.'),
    hint: Type.Optional(hint),
    entries: entriesOf(CatalogEntrySchema, BriefObjectSchema),
    ...paging,
    ...ignoredFields,
  }),
);

const objectExample = {
  id: '28f35209-4064-49ab-8c97-7f49b4919cd9',
  kind: 'knowledge',
  title: 'Decision record: which identifier applications receive at sign-in',
  summary: 'Why a hospital group passes a personnel number with a site prefix to its applications …',
  site: 'org',
  author: 'Maren Holt',
  language: 'en',
  published_at: '2026-06-05T08:00:00Z',
  updated_at: '2026-06-05T08:00:00.426Z',
  edited_at: null,
  reading_tokens: 562,
  api_url: 'https://knowledge.example/api/v1/objects/28f35209-4064-49ab-8c97-7f49b4919cd9',
  human_url: 'https://knowledge.example/objects/28f35209-4064-49ab-8c97-7f49b4919cd9',
  source: 'wave12_object',
};

const glossaryExample = {
  ...objectExample,
  id: 'd8570f03-f65e-45c1-a3dd-68ab66e7b925',
  title: 'Glossary: fourteen words that mean different things in one meeting',
  summary: 'Working definitions a payroll bureau agreed on …',
  author: 'Bastian Oduya',
  published_at: '2026-09-22T07:35:00Z',
  updated_at: '2026-09-22T07:35:00.427Z',
  reading_tokens: 531,
  api_url: 'https://knowledge.example/api/v1/objects/d8570f03-f65e-45c1-a3dd-68ab66e7b925',
  human_url: 'https://knowledge.example/objects/d8570f03-f65e-45c1-a3dd-68ab66e7b925',
};

const objectCursor = 'WzEsImRQdU50WnZYUi1kIiwxNzkwMDYyNTAwMDAwLCJkODU3MGYwMy1mNjVlLTQ1YzEtYTNkZC02OGFiNjZlN2I5MjUiXQ';

export const listObjects = {
  ...publicRead,
  id: 'listObjects',
  endpoint: 'read_objects_catalog',
  path: '/api/v1/objects/catalog',
  summary: 'The catalog of objects',
  description: `Published ${publishedTexts}, newest first, or best match first with \`q\`: then each entry has its \`score\`, and what fits badly is \`weak\`. Costs no quota.`,
  query: Type.Object({
    ...SiteQuery,
    kind: Type.Optional(Type.Enum(publishedKindNames, { description: 'Only this kind.' })),
    ...PageQuery,
    q: optionalText(limits.query, `Full-text search; with it a page has at most ${limits.searchSize.max} entries.`),
    ...FieldsQuery,
  }),
  responses: { 200: ObjectListSchema },
  example: {
    onlyOrg: true,
    parameters: { site: 'org', kind: 'knowledge', limit: 1 },
    responses: {
      200: {
        ...exampleListing,
        total: 6,
        entries: [glossaryExample],
        next_cursor: objectCursor,
        next_url: `https://knowledge.example/api/v1/objects/catalog?site=org&kind=knowledge&limit=1&cursor=${objectCursor}`,
      },
    },
    messages: { validation_error: `kind: must be one of ${publishedKindNames.join(', ')}.` },
  },
} as const satisfies Operation;

export const readObject = {
  id: 'readObject',
  endpoint: 'read_object',
  method: 'GET',
  path: '/api/v1/objects/{id}',
  summary: 'One object',
  description:
    "A published object. Poll it with a contribution's id to verify publication; until then it is not_found. With Accept: text/markdown it is Markdown with front matter.",
  auth: 'none',
  params: Type.Object({ id: text("The object's id.") }),
  responses: { 200: answer({ object: ObjectSchema }) },
  otherMediaTypes: ['text/markdown'],
  responseHeaders: cacheHeaders,
  errors: ['not_found'],
  example: {
    onlyOrg: true,
    parameters: { id: objectExample.id },
    responses: {
      200: {
        ok: true,
        object: {
          ...objectExample,
          notice: contentNotice,
          body: '**Status:** in force since the sixth week of our single sign-on rollout. …',
          body_format: 'markdown',
        },
      },
    },
    messages: { not_found: 'No published object has this name. See /api/v1/objects/catalog for the catalog.' },
  },
} as const satisfies Operation;
