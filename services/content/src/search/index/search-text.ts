import type { Site } from '@knowledge/runtime';
import type { ObjectKind } from '../../domain/community-object.js';

/** The kinds of texts that search finds: articles and the kinds of community objects. */
export type TextKind = 'article' | ObjectKind;

/** The name of a text in the index: `article:site/slug` or `object:id`. */
export type TextKey = `article:${string}` | `object:${string}`;

/** An English title and summary of a text in another language, written by editors. */
export interface Gloss {
  readonly title: string;
  readonly summary: string;
}

/** A published article or object with everything that search reads. */
export interface SearchText {
  readonly key: TextKey;
  readonly site: Site;
  readonly kind: TextKind;
  /** A BCP 47 tag; empty if unknown. */
  readonly language: string;
  readonly title: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly author: string;
  /** Markdown. */
  readonly body: string;
  readonly publishedAt: Date;
  readonly updatedAt: Date;
  readonly gloss: Gloss | undefined;
}

export function articleKey({ site, slug }: { readonly site: Site; readonly slug: string }): TextKey {
  return `article:${site}/${slug}`;
}

export function objectKey(id: string): TextKey {
  return `object:${id}`;
}
