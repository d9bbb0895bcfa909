import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import { timestamp } from '../print/time.js';
import { sites } from '../words.js';

/** Converts an article's fields to the names of `--json`. The commands `show` and `export` use the same fields. */
export function presentEntry(entry: ArticleEntry) {
  return {
    slug: entry.slug,
    site: sites.fromWire(entry.site),
    title: entry.title,
    summary: entry.summary,
    tags: entry.tags,
    language: entry.language,
    author: entry.author,
    published_at: timestamp(entry.publishedAt),
    updated_at: timestamp(entry.updatedAt),
    word_count: entry.wordCount,
    reading_tokens: entry.readingTokens,
    revision: entry.revision,
  } satisfies Record<SnakeCase<keyof ArticleEntry>, unknown>;
}

/** The type of a name in snake case: `publishedAt` becomes `published_at`. */
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
