import type { Site } from '@knowledge/runtime';
import type { Article, ArticleEntry } from '../../domain/article.js';
import type { ObjectKind, PublishedObject } from '../../domain/community-object.js';

/** The kinds of texts that search finds: articles and the kinds of community objects. */
export type TextKind = 'article' | ObjectKind;

/** The name of a text in the index: `article/site/slug` or `object/id`. */
export type TextKey = `article/${string}` | `object/${string}`;

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
  /** Grows with every change of the text, but not of its gloss. */
  readonly revision: number;
  readonly gloss: Gloss | undefined;
}

export function articleKey({ site, slug }: { readonly site: Site; readonly slug: string }): TextKey {
  return `article/${site}/${slug}`;
}

export function objectKey(id: string): TextKey {
  return `object/${id}`;
}

/** The parts of the name of a text. */
export type TextName =
  | { readonly kind: 'article'; readonly site: Site; readonly slug: string }
  | { readonly kind: 'object'; readonly id: string };

export function nameOfText(key: TextKey): TextName {
  const [kind, first = '', slug = ''] = key.split('/');
  return kind === 'article' ? { kind, site: first as Site, slug } : { kind: 'object', id: first };
}

/** A published text as the database has it, with all facts of its entry. */
export type PublishedText =
  | { readonly key: TextKey; readonly kind: 'article'; readonly entry: Article }
  | { readonly key: TextKey; readonly kind: ObjectKind; readonly entry: PublishedObject };

/** A published text in a listing of hits, which has no bodies of articles. */
export type FoundText =
  | { readonly key: TextKey; readonly kind: 'article'; readonly entry: ArticleEntry }
  | { readonly key: TextKey; readonly kind: ObjectKind; readonly entry: PublishedObject };

export function publishedArticle(article: Article): PublishedText {
  return { key: articleKey(article), kind: 'article', entry: article };
}

export function publishedObject(object: PublishedObject): PublishedText {
  return { key: objectKey(object.id), kind: object.kind, entry: object };
}

/** The parts of a published text that search reads. */
export function searchTextOf(text: PublishedText, gloss: Gloss | undefined): SearchText {
  return { ...searchFactsOf(text, gloss), body: text.entry.body };
}

/** The same without the body. */
export type SearchFacts = Omit<SearchText, 'body'>;

function searchFactsOf({ key, kind, entry }: FoundText, gloss: Gloss | undefined): SearchFacts {
  const { site, language, title, summary, author, updatedAt, revision } = entry;
  const tags = 'tags' in entry ? entry.tags : [];
  const publishedAt = entry.publishedAt ?? updatedAt;
  const facts = { key, kind, site, language, tags, author, publishedAt, updatedAt, revision };
  return { ...facts, title, summary, gloss };
}
