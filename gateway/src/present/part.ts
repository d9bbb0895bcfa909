import type { Article, ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import { readingTokens } from '@knowledge/runtime';
import type { Static } from 'typebox';
import type { PartSchema } from '../protocol/articles.js';
import { limits } from '../protocol/limits.js';
import type { OutlineSchema } from '../protocol/outline.js';
import { contentNotice } from '../protocol/schemas.js';
import { fromWireSite, type Sites } from '../upstream/sites.js';
import { presentEntry } from './article.js';
import type { TextPart, TextRange } from './text/cut-part.js';
import type { TextLayout } from './text/text-layout.js';

/** Says in JSON which part of an article a body is (gateway/PROTOCOL.md#parts). */
export function presentPart(
  { text, tokens, sections }: TextLayout,
  part: TextPart,
  range: TextRange,
  section: string | undefined,
): Static<typeof PartSchema> {
  const above = sections.filter(({ start, end }) => start < part.start && part.start < end);
  return {
    section: section ?? null,
    headings: above.map(({ title }) => title),
    tokens: part.tokens,
    tokens_left: part.end < range.end ? readingTokens(text.slice(part.end, range.end)) : 0,
    article_tokens: tokens,
    begins_inside: part.beginsInside ?? null,
    ends_inside: part.endsInside ?? null,
  };
}

/** Lists the headings of an article with the sizes of their sections, without any other text of its body. */
export function presentOutline(
  { entry }: Article,
  { blocks, sections, tokens }: TextLayout,
  sites: Sites,
): Static<typeof OutlineSchema> {
  const known = entry as ArticleEntry;
  const { slug, title, language, revision, api_url } = presentEntry(known, sites);
  const [first] = sections;
  const before = blocks.filter(({ start }) => first === undefined || start < first.start);
  return {
    ok: true,
    site: fromWireSite(known.site),
    slug,
    title,
    language,
    revision,
    api_url,
    reading_tokens: tokens,
    tokens_before_sections: before.reduce((sum, block) => sum + block.tokens, 0),
    notice: contentNotice,
    sections: sections.slice(0, limits.outlineSections).map(({ anchor, title: heading, level, tokens: size }) => ({
      anchor,
      title: shortened(heading),
      level,
      tokens: size,
    })),
    sections_left_out: Math.max(0, sections.length - limits.outlineSections),
  };
}

// Markdown lets a whole paragraph be a heading, and the text of an article is not free.
function shortened(heading: string) {
  const points = [...heading];
  return points.length <= limits.headingShown ? heading : `${points.slice(0, limits.headingShown - 1).join('')}…`;
}
