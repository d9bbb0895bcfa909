import {
  type Article,
  type ArticleEntry,
  type CommunityObject,
  type Highlight,
  type ObjectEntry,
  ObjectKind,
} from '@knowledge/proto/knowledge/content/v1/content';
import { timestamp } from '@knowledge/runtime';
import { enumWords } from '@knowledge/runtime/wire';
import type { Static } from 'typebox';
import type { ArticleEntrySchema, ArticleSchema } from '../protocol/articles.js';
import type { HighlightSchema } from '../protocol/highlights.js';
import type { ObjectEntrySchema, ObjectSchema } from '../protocol/objects.js';
import { contentNotice } from '../protocol/schemas.js';
import { fromWireSite, type SiteName, type Sites } from '../upstream/sites.js';

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
    published_at: timeOf(entry.publishedAt),
    updated_at: timeOf(entry.updatedAt),
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

/** Writes a time that the wire always has, although its type does not say so. */
export function timeOf(at: Date | undefined): string {
  return timestamp(at ?? new Date(0));
}

export function timeOrNull(at: Date | undefined): string | null {
  return at === undefined ? null : timestamp(at);
}

/** The `api_url` of an article. */
export function articleUrl(slug: string, site: SiteName, sites: Sites): string {
  return `${sites.base(site)}/api/v1/content/${encodeURIComponent(slug)}?site=${site}`;
}

/** Leaves these fields in an entry (gateway/PROTOCOL.md#brief-entries). */
export function inBrief<Entry extends object, Name extends keyof Entry>(entry: Entry, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, entry[name]])) as Pick<Entry, Name>;
}

/** Returns the cursor and the URL of the next list page; both are null on the last page. */
export function nextPage(base: string, parameters: Readonly<Record<string, string>>, cursor: string) {
  if (cursor === '') return { next_cursor: null, next_url: null };
  return { next_cursor: cursor, next_url: listUrl(base, { ...parameters, cursor }) };
}

/** Makes the URL of a list. Empty parameters are left out. */
export function listUrl(base: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== '') query.set(name, value);
  return `${base}?${query}`;
}

const kinds = enumWords('kind', ObjectKind);
const fromWireKind = kinds.answered;
/** Undefined becomes `OBJECT_KIND_UNSPECIFIED`, every kind. */
export const toWireKind = kinds.toWire;

/** The names of the object kinds in the API. */
export type KindName = ReturnType<typeof fromWireKind>;

/** Converts a catalog entry to its JSON form in the API (gateway/PROTOCOL.md#objects). */
export function presentObjectEntry(entry: ObjectEntry, sites: Sites): Static<typeof ObjectEntrySchema> {
  const site = fromWireSite(entry.site);
  const base = sites.base(site);
  return {
    id: entry.id,
    kind: fromWireKind(entry.kind),
    title: entry.title,
    summary: entry.summary,
    site,
    author: entry.author,
    language: entry.language || null,
    published_at: timeOf(entry.publishedAt),
    updated_at: timeOf(entry.updatedAt),
    edited_at: timeOrNull(entry.editedAt),
    reading_tokens: entry.readingTokens,
    api_url: objectUrl(entry.id, site, sites),
    human_url: `${base}/objects/${entry.id}`,
    source: 'wave12_object',
  };
}

/** The `api_url` of an object. */
export function objectUrl(id: string, site: SiteName, sites: Sites): string {
  return `${sites.base(site)}/api/v1/objects/${id}`;
}

export function presentObject({ entry, body, prompt }: CommunityObject, sites: Sites): Static<typeof ObjectSchema> {
  return {
    ...presentObjectEntry(entry as ObjectEntry, sites),
    notice: contentNotice,
    body,
    body_format: 'markdown',
    ...(prompt === undefined ? {} : { prompt: { id: prompt.id, question: prompt.question } }),
  };
}
