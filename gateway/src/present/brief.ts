import type { Static } from 'typebox';
import type {
  ArticleEntrySchema,
  BriefArticleSchema,
  BriefHighlightSchema,
  BriefObjectSchema,
  HighlightSchema,
  ObjectEntrySchema,
} from '../protocol/schemas.js';

/** Leaves in an entry what an agent needs to choose what it reads (gateway/PROTOCOL.md#brief-entries). */
export function briefArticle(entry: Static<typeof ArticleEntrySchema>): Static<typeof BriefArticleSchema> {
  const { slug, title, summary, language, published_at, updated_at, api_url, reading_tokens } = entry;
  return { slug, title, summary, language, published_at, updated_at, api_url, reading_tokens };
}

export function briefHighlight(highlight: Static<typeof HighlightSchema>): Static<typeof BriefHighlightSchema> {
  return { ...briefArticle(highlight), editor_note: highlight.editor_note };
}

export function briefObject(entry: Static<typeof ObjectEntrySchema>): Static<typeof BriefObjectSchema> {
  const { id, kind, title, summary, language, published_at, updated_at, api_url, reading_tokens } = entry;
  return { id, kind, title, summary, language, published_at, updated_at, api_url, reading_tokens };
}
