import { type CommunityObject, type ObjectEntry, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { timestamp } from '@knowledge/runtime';
import { enumWords } from '@knowledge/runtime/wire';
import type { Static } from 'typebox';
import { contentNotice, type ObjectEntrySchema, type ObjectSchema } from '../protocol/schemas.js';
import { fromWireSite, type SiteName, type Sites } from '../upstream/sites.js';

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
    language: entry.language === '' ? null : entry.language,
    published_at: timestamp(entry.publishedAt ?? new Date(0)),
    updated_at: timestamp(entry.updatedAt ?? new Date(0)),
    edited_at: entry.editedAt === undefined ? null : timestamp(entry.editedAt),
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
