import type { Article, ArticleEntry, Highlight } from '@knowledge/proto/knowledge/content/v1/content';
import { timestamp } from '@knowledge/runtime';
import type { Static } from 'typebox';
import {
  type ArticleEntrySchema,
  type ArticleSchema,
  contentNotice,
  type HighlightSchema,
} from '../protocol/schemas.js';
import { fromWireSite, type Sites } from '../upstream/sites.js';

/** Converts an index entry to its JSON form in the API (gateway/PROTOCOL.md#articles). */
export function presentEntry(entry: ArticleEntry, sites: Sites): Static<typeof ArticleEntrySchema> {
  const site = fromWireSite(entry.site);
  const path = encodeURIComponent(entry.slug);
  return {
    slug: entry.slug,
    title: entry.title,
    summary: entry.summary,
    tags: entry.tags,
    language: entry.language,
    author: entry.author,
    published_at: timestamp(entry.publishedAt ?? new Date(0)),
    updated_at: timestamp(entry.updatedAt ?? new Date(0)),
    word_count: entry.wordCount,
    reading_tokens: entry.readingTokens,
    revision: entry.revision,
    api_url: articleUrl(entry.slug, site, sites),
    human_url: `${sites.base(site)}/articles/${path}?site=${site}`,
    source: 'knowledge_base',
  };
}

/** Converts a highlight to JSON: its index entry, its position and the editors' note. */
export function presentHighlight(
  { entry, position, editorNote }: Highlight,
  sites: Sites,
): Static<typeof HighlightSchema> {
  return { ...presentEntry(entry as ArticleEntry, sites), position, editor_note: editorNote };
}

export function presentArticle({ entry, body, related }: Article, sites: Sites): Static<typeof ArticleSchema> {
  const known = entry as ArticleEntry;
  const site = fromWireSite(known.site);
  return {
    ...presentEntry(known, sites),
    notice: contentNotice,
    body,
    body_format: 'markdown',
    related: related.map(({ slug, title }) => ({ slug, title, api_url: articleUrl(slug, site, sites) })),
  };
}

/** The `api_url` of an article. */
export function articleUrl(slug: string, site: 'io' | 'org', sites: Sites): string {
  return `${sites.base(site)}/api/v1/content/${encodeURIComponent(slug)}?site=${site}`;
}
