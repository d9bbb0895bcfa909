import type { Site } from '@knowledge/runtime';
import type { Article, ArticleEntry } from '../../articles/domain.js';
import type { Gloss } from '../../base/search-words.js';
import type { NewChange } from '../../changes/log.js';
import type { ObjectKind, PublishedObject } from '../../objects/domain.js';

/** The kinds of texts that search finds: articles and the kinds of community objects. */
export type TextKind = 'article' | ObjectKind;

/** The name of a text in the index: `article/site/slug` or `object/id`. */
export type TextKey = `article/${string}` | `object/${string}`;

/** A published article or object with everything that search reads. */
export interface SearchText
  extends Pick<Article, 'site' | 'language' | 'title' | 'summary' | 'tags' | 'author' | 'body' | 'updatedAt'> {
  readonly key: TextKey;
  readonly kind: TextKind;
  readonly gloss: Gloss | undefined;
}

export function articleKey({ site, slug }: { readonly site: Site; readonly slug: string }): TextKey {
  return `article/${site}/${slug}`;
}

/** The text that a change is about; undefined for other changes. */
export function keyOfChange({ subject, site, key }: NewChange): TextKey | undefined {
  if (subject === 'article') return articleKey({ site, slug: key });
  return subject === 'object' ? `object/${key}` : undefined;
}

/** A published text in a listing of hits, which has no bodies of articles. */
export type FoundText =
  | { readonly key: TextKey; readonly kind: 'article'; readonly entry: ArticleEntry }
  | { readonly key: TextKey; readonly kind: ObjectKind; readonly entry: PublishedObject };

/** A published text as the database has it, with all facts of its entry. */
export type PublishedText = FoundText & {
  readonly entry: { readonly body: string };
  readonly gloss: Gloss | undefined;
};

/** The parts of a published text that search reads. */
export function searchTextOf({ key, kind, entry, gloss }: PublishedText): SearchText {
  return { tags: [], ...entry, key, kind, gloss };
}

/** Reads published articles and objects. Reads contain every change that was acknowledged before. */
export interface PublishedTexts {
  /** Those of these texts that are published, in any order. */
  read(keys: readonly TextKey[], signal: AbortSignal): Promise<readonly PublishedText[]>;
  /** The same texts without the bodies of articles. */
  readFound(keys: readonly TextKey[], signal: AbortSignal): Promise<readonly FoundText[]>;
  /** The next texts in the order of their keys; empty at the end. */
  next(after: TextKey | undefined, signal: AbortSignal): Promise<readonly PublishedText[]>;
}
