import { Type } from 'typebox';
import {
  answer,
  contentNotice,
  count,
  named,
  nullable,
  nullableText,
  nullableTime,
  SiteSchema,
  text,
  uri,
} from './schemas.js';

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
export const partFields = {
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
            'Append an anchor: that section of the same read, for this reader, until 24 hours after the first part.',
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
      title: text('The heading, cut after 200 characters.'),
      level: Type.Integer({ minimum: 2, maximum: 6, description: 'The level of the heading on the page.' }),
      tokens: count('Of the section with the sections inside it.'),
    }),
    { description: `In the order of the text. ${contentNotice}` },
  ),
  sections_left_out: count('Sections beyond the first 500.'),
});
