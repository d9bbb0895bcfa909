import { type ObjectEntry, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { timestamp } from '../base/time.js';
import { enumWords, sites } from '../base/words.js';

export const objectKinds = enumWords(ObjectKind);

/** An object in a list. It has no body. */
export type ObjectView = ReturnType<typeof presentObject>;

export function presentObject(entry: ObjectEntry) {
  return {
    id: entry.id,
    kind: objectKinds.fromWire(entry.kind),
    site: sites.fromWire(entry.site),
    state: 'published' as const,
    title: entry.title,
    summary: entry.summary,
    author: entry.author || null,
    language: entry.language || null,
    published_at: timestamp(entry.publishedAt),
    updated_at: timestamp(entry.updatedAt),
    edited_at: timestamp(entry.editedAt),
    reading_tokens: entry.readingTokens,
  };
}
