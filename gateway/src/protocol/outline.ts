import { Type } from 'typebox';
import { articleEntryExample, slugParameter } from './articles.js';
import { limits } from './limits.js';
import { type Operation, publicRead } from './operation.js';
import { answer, contentNotice, count, ignoredFields, SiteQuery, SiteSchema, text, uri } from './schemas.js';

/** The outline of an article (gateway/PROTOCOL.md#outline). */
export const OutlineSchema = answer({
  site: SiteSchema,
  slug: text(),
  title: text(),
  language: text('BCP 47.'),
  revision: Type.Integer({ minimum: 1 }),
  api_url: uri('The URL to read the article with.'),
  reading_tokens: count('About how many tokens the body has.'),
  tokens_before_sections: count('About how many tokens stand before the first heading.'),
  notice: Type.Literal(contentNotice),
  sections: Type.Array(
    Type.Object({
      anchor: text('The value for `section`; the page has it as the id of the heading.'),
      title: text(`The heading, cut after ${limits.headingShown} characters.`),
      level: Type.Integer({ minimum: 2, maximum: 6, description: 'The level of the heading on the page.' }),
      tokens: count('Of the section with the sections inside it.'),
    }),
    { description: `In the order of the text. ${contentNotice}` },
  ),
  sections_left_out: count(`Sections beyond the first ${limits.outlineSections}.`),
});

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
  errors: ['not_found'],
  example: {
    onlyOrg: true,
    parameters: { slug: 'rolling-out-sso', site: 'org' },
    responses: {
      200: {
        ok: true,
        site: 'org',
        slug: articleEntryExample.slug,
        title: articleEntryExample.title,
        language: 'en',
        revision: 1,
        api_url: articleEntryExample.api_url,
        reading_tokens: 1305,
        tokens_before_sections: 75,
        notice: contentNotice,
        sections: [
          { anchor: 'scope-and-what-we-left-out', title: 'Scope, and what we left out', level: 2, tokens: 135 },
        ],
        sections_left_out: 0,
      },
    },
  },
} as const satisfies Operation;
