import { publishedKindNames } from '@knowledge/runtime/product';
import { type Static, Type } from 'typebox';
import {
  answer,
  contentNotice,
  count,
  dateTime,
  entriesOf,
  hint,
  ignoredFields,
  named,
  nullable,
  nullableText,
  nullableTime,
  paging,
  SiteSchema,
  text,
  uri,
} from './schemas.js';

const ReadingTokensSchema = count('About how many tokens a language model needs to read the body.');

const articleEntryFields = {
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

const briefFields = [
  ...(['title', 'summary', 'language', 'published_at', 'updated_at', 'api_url', 'reading_tokens'] as const),
] as const;

/** An article in a listing with `fields=brief` (gateway/PROTOCOL.md#brief-entries). */
export const BriefArticleSchema = Type.Pick(ArticleEntrySchema, [...briefFields, 'slug']);

/** An entry of the highlights (gateway/PROTOCOL.md#articles). */
export const HighlightSchema = named(
  'Highlight',
  Type.Object({
    ...articleEntryFields,
    position: Type.Integer({ minimum: 1 }),
    editor_note: text('Why the editors chose it.'),
  }),
);

/** An entry of the highlights with `fields=brief` (gateway/PROTOCOL.md#brief-entries). */
export const BriefHighlightSchema = named(
  'BriefHighlight',
  Type.Pick(HighlightSchema, [...briefFields, ...(['slug', 'editor_note'] as const)]),
);

/** The fields of an entry that say how well it fits `q` (gateway/PROTOCOL.md#search). */
const fitFields = {
  score: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Only with q: how well it fits.' })),
  weak: Type.Optional(
    Type.Boolean({
      description: 'Only with q: little shows that the text is about it; read others first.',
    }),
  ),
};

/** An entry of the index, as a search shows it. */
const IndexEntrySchema = named('ArticleEntry', Type.Object({ ...articleEntryFields, ...fitFields }));

/** An entry of the index with `fields=brief` (gateway/PROTOCOL.md#brief-entries). */
const BriefIndexEntrySchema = named(
  'BriefArticle',
  Type.Object({ ...BriefArticleSchema.properties, weak: fitFields.weak }),
);

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

/** An entry of the catalog with `fields=brief` (gateway/PROTOCOL.md#brief-entries). */
export const BriefObjectSchema = named(
  'BriefObject',
  Type.Pick(CatalogEntrySchema, [...briefFields, ...(['id', 'kind', 'weak'] as const)]),
);

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

/** The active community prompt (gateway/PROTOCOL.md#reads). */
export const PromptSchema = named(
  'Prompt',
  Type.Object({
    id: text(),
    question: text(),
    opens_at: nullableTime(),
    closes_at: nullableTime(),
  }),
);

/** The caller's quota (gateway/PROTOCOL.md#own-quota). */
export const QuotaSchema = named(
  'Quota',
  Type.Object({
    subject: Type.Enum(['verified_email', 'client_id', 'address']),
    limit: count(),
    remaining: count(),
    reset_at: dateTime('The next UTC midnight.'),
    writes: Type.Optional(
      Type.Object(
        {
          limit: count(),
          remaining: count(),
          reset_at: dateTime('The next UTC midnight.'),
        },
        { description: 'Only with a token: how many contributions its mailbox can still send today.' },
      ),
    ),
  }),
);

/** An entry of the changelog (gateway/PROTOCOL.md#changelog). */
export const ChangelogEntrySchema = named(
  'ChangelogEntry',
  Type.Object({
    version: text(),
    date: Type.String({ format: 'date' }),
    summary: text(),
    agent_action: text(),
  }),
);

/** The body of every failure (gateway/PROTOCOL.md#errors). It has no other fields. */
export const FailureSchema = named(
  'Failure',
  Type.Object(
    {
      ok: Type.Literal(false),
      error: text('The machine code.'),
      message: Type.Optional(text('What to do next, for people and agents.')),
    },
    { additionalProperties: false },
  ),
);

export const ArticleListSchema = named(
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

export const ObjectListSchema = named(
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
