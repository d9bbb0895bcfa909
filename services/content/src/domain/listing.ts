import type { Site } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import { codePoints, collectFaults, isTag } from './bounds.js';
import { decodePageToken, encodePageToken, type PageKey, type PageScope } from './page-token.js';

/** The filter of a listing of articles. */
export interface ArticleFilter {
  readonly site: Site;
  /** The words of a full-text search; empty for no search. */
  readonly query: string;
  /** A tag that the articles must have; empty for all articles. */
  readonly tag: string;
  readonly updatedSince: Date | undefined;
}

/** The sort key of an article in a listing. */
export interface ArticleKey {
  readonly publishedAt: Date;
  readonly slug: string;
}

/** The sort key of a search result. Results are sorted by score first. */
export interface MatchKey extends ArticleKey {
  readonly score: number;
}

/** One list page. `next` is the key of its last entry, or undefined if there is no next list page. */
export interface ListPage<Entry, Key> {
  readonly entries: readonly Entry[];
  readonly next: Key | undefined;
}

/**
 * Reads the size of a list page: 1 to 200; 0 means 50.
 *
 * @throws KnowledgeError `validation_error` for any other size.
 */
export function readPageSize(asked: number): number {
  if (asked === 0) return 50;
  if (Number.isInteger(asked) && asked >= 1 && asked <= 200) return asked;
  throw new KnowledgeError('validation_error', 'page_size must be 1 to 200.');
}

/** @throws KnowledgeError `validation_error` that lists every invalid filter. */
export function checkArticleFilter(filter: ArticleFilter): void {
  const faults = collectFaults();
  if (codePoints(filter.query) > bounds.query.max)
    faults.add('query', `must have at most ${bounds.query.max} characters`);
  if (filter.tag !== '' && !isTag(filter.tag)) faults.add('tag', 'must be 1 to 40 characters of a-z, 0-9 and hyphens');
  if (Number.isNaN(filter.updatedSince?.getTime())) faults.add('updated_since', 'must be a time');
  faults.throwIfAny();
}

/** Reads the page token of a listing without search. */
export function readArticleToken(token: string, filter: ArticleFilter): ArticleKey | undefined {
  const key = decodePageToken(token, scopeOf(filter), ['number', 'string']);
  return key && { publishedAt: dateOf(key[0]), slug: key[1] };
}

/** Reads the page token of a list of search results. */
export function readMatchToken(token: string, filter: ArticleFilter): MatchKey | undefined {
  const key = decodePageToken(token, scopeOf(filter), ['number', 'number', 'string']);
  return key && { score: key[0], publishedAt: dateOf(key[1]), slug: key[2] };
}

/** Writes the token of the list page after a key; empty if there is no next list page. */
export function writeArticleToken(next: ArticleKey | MatchKey | undefined, filter: ArticleFilter): string {
  if (next === undefined) return '';
  const key: PageKey = [next.publishedAt.getTime(), next.slug];
  return encodePageToken(scopeOf(filter), 'score' in next ? [next.score, ...key] : key);
}

/** Reads the page token of a list that is sorted by time and name. */
export function readTimeToken(token: string, scope: PageScope): { at: Date; name: string } | undefined {
  const key = decodePageToken(token, scope, ['number', 'string']);
  return key && { at: dateOf(key[0]), name: key[1] };
}

/** Writes the page token of such a list; empty if there is no next list page. */
export function writeTimeToken(next: { at: Date; name: string } | undefined, scope: PageScope): string {
  return next === undefined ? '' : encodePageToken(scope, [next.at.getTime(), next.name]);
}

function scopeOf({ site, query, tag, updatedSince }: ArticleFilter): PageScope {
  return ['articles', site, query, tag, updatedSince?.getTime() ?? null];
}

function dateOf(ms: number): Date {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime()))
    throw new KnowledgeError('validation_error', 'page_token has no valid time; begin again without one.');
  return date;
}
