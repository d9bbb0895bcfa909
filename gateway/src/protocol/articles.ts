import { type Static, Type } from 'typebox';
import { noBearer } from './example.js';
import { limits } from './limits.js';
import { cacheHeaders, type Operation, publicRead, quotaHeaders } from './operation.js';
import { exampleClientId, readerHeaders } from './quota.js';
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
  optionalNumber,
  optionalText,
  PageQuery,
  paging,
  ReadingTokensSchema,
  SiteQuery,
  SiteSchema,
  TagQuery,
  text,
  uri,
} from './schemas.js';
import { exampleListing } from './service-words.js';

export const slugParameter = Type.Object({ slug: text("The article's name.") });

export const articleEntryFields = {
  slug: text("The article's name in URLs."),
  title: text(),
  summary: text('Plain text.'),
  tags: Type.Array(text()),
  language: text('BCP 47.'),
  author: text('The name to show.'),
  published_at: dateTime('When readers first saw it.'),
  updated_at: dateTime('When its text, facts or state last changed.'),
  word_count: count(),
  reading_tokens: ReadingTokensSchema,
  revision: Type.Integer({
    minimum: 1,
    description: 'Counts the changes; 1 means that nobody has changed it since it came in, whenever it was published.',
  }),
  api_url: uri('The URL to read the article with.'),
  human_url: uri('The page for people.'),
  source: Type.Literal('knowledge_base'),
};

/** An entry of the content index (gateway/PROTOCOL.md#articles). */
export const ArticleEntrySchema = Type.Object(articleEntryFields);

/** The example of an index entry, from the sample content. A new field needs an example here. */
export const articleEntryExample: Static<typeof ArticleEntrySchema> = {
  slug: 'rolling-out-sso',
  title: 'Rolling out single sign-on to 4,000 people in nine weeks',
  summary: 'A regional hospital group moved 34 applications and 4,000 people to single sign-on in nine weeks. …',
  tags: ['identity', 'rollout', 'support'],
  language: 'en',
  author: 'Maren Holt',
  published_at: '2026-06-01T09:00:00Z',
  updated_at: '2026-06-03T10:00:00.905Z',
  word_count: 991,
  reading_tokens: 1305,
  revision: 1,
  api_url: 'https://knowledge.example/api/v1/content/rolling-out-sso?site=org',
  human_url: 'https://knowledge.example/articles/rolling-out-sso?site=org',
  source: 'knowledge_base',
};

/** The fields of an article in a listing with `fields=brief` (gateway/PROTOCOL.md#brief-entries). */
export const briefArticleFields = ['slug', ...briefFields] as const;

/** An entry of the index, as a search shows it. */
const IndexEntrySchema = named('ArticleEntry', Type.Object({ ...articleEntryFields, ...fitFields }));

/** An entry of the index with `fields=brief`. */
const BriefIndexEntrySchema = named('BriefArticle', Type.Pick(IndexEntrySchema, [...briefArticleFields, 'weak']));

/** An article with its body (gateway/PROTOCOL.md#articles). */
export const ArticleSchema = named(
  'Article',
  Type.Object({
    ...articleEntryFields,
    notice: Type.Literal(contentNotice, { description: 'How to treat the text, from the service itself.' }),
    body: text(`Markdown. ${contentNotice}`),
    body_format: Type.Literal('markdown'),
    related: Type.Array(Type.Object({ slug: text(), title: text(), api_url: uri('Where to read it.') })),
  }),
);

const ArticleListSchema = named(
  'ArticleList',
  answer({
    api_version: text(),
    site: SiteSchema,
    total: nullable(
      count(),
      'All published articles of the site; with q all hits; null with only tag or updated_since.',
    ),
    hint: Type.Optional(hint),
    entries: entriesOf(IndexEntrySchema, BriefIndexEntrySchema),
    ...paging,
    ...ignoredFields,
  }),
);

const articleCursor = 'WzEsImtpX0RUckhWeDVsIiwxNS44MDU4MjY3MzA4MDU1MDgsMTc4MDMwNDQwMDAwMCwicm9sbGluZy1vdXQtc3NvIl0';

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
      Type.String({
        format: 'date-time',
        description:
          'Only articles changed at this time or later; RFC 3339. Ask from a minute before the newest updated_at that you know, since clocks of servers differ.',
      }),
    ),
    ...FieldsQuery,
  }),
  responses: { 200: ArticleListSchema },
  example: {
    onlyOrg: true,
    parameters: { site: 'org', q: 'single sign-on', limit: 1 },
    responses: {
      200: {
        ...exampleListing,
        total: 17,
        hint: null,
        entries: [{ ...articleEntryExample, score: 0.9865, weak: false }],
        next_cursor: articleCursor,
        next_url: `https://knowledge.example/api/v1/content?site=org&limit=1&q=single+sign-on&cursor=${articleCursor}`,
      },
    },
    messages: {
      validation_error: `limit: must be a whole number from ${limits.pageSize.min} to ${limits.pageSize.max}.`,
    },
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

const inside = (end: string) =>
  nullable(
    Type.Enum(['heading', 'paragraph', 'code', 'list', 'table', 'quote', 'other']),
    `The kind of the block that was cut at the ${end} of the part, because it is too large alone; else null.`,
  );

/** What a part of an article says about itself (gateway/PROTOCOL.md#parts). */
export const PartSchema = named(
  'Part',
  Type.Object({
    section: nullableText('The anchor of the section that was asked for; null for the whole article.'),
    headings: Type.Array(text(), {
      description: 'The headings above the beginning of the part, the outermost first.',
    }),
    tokens: count('About how many tokens the body of this part has.'),
    tokens_left: count('About how many tokens of what was asked for follow this part.'),
    article_tokens: count('About how many tokens the whole article has.'),
    begins_inside: inside('beginning'),
    ends_inside: inside('end'),
  }),
);

/** The fields of a response that only parts have. */
const partFields = {
  part: Type.Optional(PartSchema),
  continuation: Type.Optional(
    nullable(
      Type.String({ format: 'uri' }),
      'The URL of the next part of the same read, which does not count again. It works for this reader only. Null after the last part.',
    ),
  ),
  continuation_expires_at: Type.Optional(nullableTime('Until when the continuation works.')),
  other_sections: Type.Optional(
    Type.Union(
      [
        Type.Object({
          url: uri(
            `Append an anchor: that section of the same read, for this reader, until ${limits.continuationHours} hours after the first part.`,
          ),
          anchors: Type.Array(text(), { description: 'The first 30; the outline has all.' }),
        }),
        Type.Null(),
      ],
      {
        description:
          'The other sections of the article, which do not count again. Only in the part that counted; null if that is the whole article.',
      },
    ),
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
  errors: ['not_found', 'read_quota_exceeded', 'invalid_state'],
  errorHeaders: { read_quota_exceeded: quotaHeaders },
  facts: {
    free_reads_per_day: { anonymous: limits.readsPerDay.anonymous, verified_email: limits.readsPerDay.verifiedEmail },
  },
  example: {
    onlyOrg: true,
    parameters: { slug: 'rolling-out-sso', site: 'org', ...exampleClientId },
    responses: {
      200: {
        ok: true,
        site: 'org',
        article: {
          ...articleEntryExample,
          notice: contentNotice,
          body: 'We are a regional hospital group: four sites, one laboratory, about 4,000 people with a login. …',
          body_format: 'markdown',
          related: [
            {
              slug: 'security-keys-in-cold-stores',
              title: 'Security keys, gloves and minus 24 degrees',
              api_url: 'https://knowledge.example/api/v1/content/security-keys-in-cold-stores?site=org',
            },
            {
              slug: 'code-assistants-140-developers',
              title: 'Code assistants for 140 developers, measured without lines of code',
              api_url: 'https://knowledge.example/api/v1/content/code-assistants-140-developers?site=org',
            },
            {
              slug: 'half-the-knowledge-base',
              title: 'We hid half the knowledge base and solved more tickets',
              api_url: 'https://knowledge.example/api/v1/content/half-the-knowledge-base?site=org',
            },
          ],
        },
      },
    },
    messages: {
      validation_error: `X-Agent-Client-Id: must have ${limits.clientId.min} to ${limits.clientId.max} characters.`,
      missing_token: noBearer,
      invalid_state:
        'continuation: the article was changed since (revision 2, not 1), so its rest does not fit what you have. A new read is needed: call without continuation; it counts again.',
    },
  },
} as const satisfies Operation;
