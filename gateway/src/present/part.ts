import { readingTokens } from '@knowledge/runtime';
import type { Static } from 'typebox';
import type { PartSchema } from '../protocol/part-schemas.js';
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
