import { publishedKindNames, publishedTexts } from '@knowledge/runtime/product';
import { Type } from 'typebox';
import { limits } from './limits.js';
import { cacheHeaders, type Operation, publicRead, quotaHeaders } from './operation.js';
import { OutlineSchema, partFields } from './part-schemas.js';
import {
  ArticleListSchema,
  ArticleSchema,
  BriefHighlightSchema,
  HighlightSchema,
  ObjectListSchema,
  ObjectSchema,
  PromptSchema,
  QuotaSchema,
} from './read-schemas.js';
import {
  answer,
  entriesOf,
  FieldsQuery,
  ignoredFields,
  optionalNumber,
  optionalText,
  PageQuery,
  SiteQuery,
  SiteSchema,
  TagQuery,
  text,
} from './schemas.js';

const readerHeaders = Type.Object({
  'x-agent-client-id': optionalText(
    limits.clientId,
    'Your own stable string, for example a name with a version; anonymous reads are counted by it.',
    '^[^\\u0000-\\u001f\\u007f-\\u009f]+$',
  ),
});

const slugParameter = Type.Object({ slug: text("The article's name.") });

export const listContent = {
  ...publicRead,
  id: 'listContent',
  endpoint: 'read_content_index',
  path: '/api/v1/content',
  summary: 'The index of articles',
  description:
    'Newest first, or best match first with `q`: then each entry has its `score`, and what fits badly is `weak`. Costs no quota.',
  query: Type.Object({
    ...SiteQuery,
    ...PageQuery,
    q: optionalText(limits.query, 'Full-text search.'),
    ...TagQuery,
    updated_since: Type.Optional(
      Type.String({ format: 'date-time', description: 'Only articles changed at this time or later; RFC 3339.' }),
    ),
    ...FieldsQuery,
  }),
  responses: { 200: ArticleListSchema },
} as const satisfies Operation;

export const listCurated = {
  ...publicRead,
  id: 'listCurated',
  endpoint: 'read_curated',
  path: '/api/v1/curated',
  summary: "The editors' highlights",
  description: 'Articles that the editors chose, in their order, each with a note. Costs no quota.',
  query: Type.Object({ ...SiteQuery, ...FieldsQuery }),
  responses: {
    200: answer({
      api_version: text(),
      site: SiteSchema,
      entries: entriesOf(HighlightSchema, BriefHighlightSchema),
      ...ignoredFields,
    }),
  },
} as const satisfies Operation;

/** The query parameters that ask for a part of an article (gateway/PROTOCOL.md#parts). */
const partQuery = {
  section: optionalText(limits.section, 'Only the section with this anchor, as the outline has it.'),
  max_tokens: optionalNumber(
    limits.maxTokens,
    'Only as many whole paragraphs, lists and code blocks as have about this many tokens; `continuation` leads to the rest. The envelope comes on top, so ask for two thirds of what you can take.',
  ),
  continuation: optionalText(
    limits.continuation,
    'Comes in the URLs of a part before, `continuation` and `other_sections`; do not read or change it. With `section` it gives another section of the same read.',
  ),
};

export const readContent = {
  id: 'readContent',
  endpoint: 'read_content',
  method: 'GET',
  path: '/api/v1/content/{slug}',
  summary: 'One article; it counts',
  description: `The whole article, or with section or max_tokens a part. Each 200 is one read of the UTC day: ${limits.readsPerDay.anonymous} for each X-Agent-Client-Id, else address; ${limits.readsPerDay.verifiedEmail} for a Bearer token. 304, HEAD and, for ${limits.continuationHours} hours, the URLs in continuation and other_sections are free. Also as text/markdown.`,
  auth: 'optional_bearer',
  params: slugParameter,
  query: Type.Object({ ...SiteQuery, ...partQuery }),
  headers: readerHeaders,
  responses: {
    200: answer({ site: SiteSchema, article: ArticleSchema, ...partFields }),
  },
  otherMediaTypes: ['text/markdown'],
  responseHeaders: { ...cacheHeaders, ...quotaHeaders },
  errors: ['validation_error', 'not_found', 'read_quota_exceeded', 'invalid_state'],
  errorHeaders: { read_quota_exceeded: quotaHeaders },
  facts: {
    free_reads_per_day: { anonymous: limits.readsPerDay.anonymous, verified_email: limits.readsPerDay.verifiedEmail },
  },
} as const satisfies Operation;

export const readOutline = {
  ...publicRead,
  id: 'readOutline',
  endpoint: 'read_content_outline',
  path: '/api/v1/content/{slug}/outline',
  summary: 'Headings of one article',
  description:
    'Each heading with its anchor, its level and the size of its section, so that you can read the section that you need. Costs no quota.',
  params: slugParameter,
  query: Type.Object(SiteQuery),
  responses: { 200: Type.Object({ ...OutlineSchema.properties, ...ignoredFields }) },
  errors: ['validation_error', 'not_found'],
} as const satisfies Operation;

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
} as const satisfies Operation;

export const readActivePrompt = {
  id: 'readActivePrompt',
  endpoint: 'read_active_prompt',
  method: 'GET',
  path: '/api/v1/prompts/active',
  summary: 'The active prompt',
  description: 'The question that prompt replies answer now; not_found when there is none.',
  auth: 'none',
  query: Type.Object(SiteQuery),
  responses: { 200: answer({ prompt: PromptSchema }) },
  responseHeaders: cacheHeaders,
  errors: ['validation_error', 'not_found'],
} as const satisfies Operation;

export const readQuota = {
  id: 'readQuota',
  endpoint: 'agent_quota',
  method: 'GET',
  path: '/api/v1/agent/quota',
  summary: 'What is left today',
  description: 'The reads that you have left and, with a token, the contributions that you have left. Costs nothing.',
  auth: 'optional_bearer',
  headers: readerHeaders,
  responses: { 200: answer({ quota: QuotaSchema }) },
  errors: ['validation_error'],
} as const satisfies Operation;
