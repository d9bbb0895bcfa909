import type { Site } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import { codePoints, collectFaults, isTag } from './bounds.js';
import { decodePageToken, encodePageToken, type PageKey, type PageScope } from './page-token.js';

/** The filter of the index of a site. */
export interface ArticleFilter {
  readonly site: Site;
  /** Full-text search; empty for none. */
  readonly query: string;
  /** Empty for all. */
  readonly tag: string;
  readonly updatedSince: Date | undefined;
}

/** The sort key of an entry of the index. */
export interface ArticleKey {
  readonly publishedAt: Date;
  readonly slug: string;
}

/** The sort key of a search result; the score decides first. */
export interface MatchKey extends ArticleKey {
  readonly score: number;
}

/** One page of a listing. `next` is the key of its last entry if more follow. */
export interface ListPage<Entry, Key> {
  readonly entries: readonly Entry[];
  readonly next: Key | undefined;
}

/**
 * The size of a page: 1 to 200; 0 means 50.
 *
 * @throws KnowledgeError `validation_error` outside of it.
 */
export function readPageSize(asked: number): number {
  if (asked === 0) return 50;
  if (Number.isInteger(asked) && asked >= 1 && asked <= 200) return asked;
  throw new KnowledgeError('validation_error', 'page_size must be 1 to 200.');
}

/** @throws KnowledgeError `validation_error` naming every failing filter. */
export function checkArticleFilter(filter: ArticleFilter): void {
  const faults = collectFaults();
  if (codePoints(filter.query) > bounds.query.max)
    faults.add('query', `must have at most ${bounds.query.max} characters`);
  if (filter.tag !== '' && !isTag(filter.tag)) faults.add('tag', 'must be 1 to 40 characters of a-z, 0-9 and hyphens');
  if (Number.isNaN(filter.updatedSince?.getTime())) faults.add('updated_since', 'must be a time');
  faults.throwIfAny();
}

/** Reads the token of an index page. */
export function readArticleToken(token: string, filter: ArticleFilter): ArticleKey | undefined {
  const key = decodePageToken(token, scopeOf(filter), ['number', 'string']);
  return key && { publishedAt: dateOf(key[0]), slug: key[1] };
}

/** Reads the token of a page of search results. */
export function readMatchToken(token: string, filter: ArticleFilter): MatchKey | undefined {
  const key = decodePageToken(token, scopeOf(filter), ['number', 'number', 'string']);
  return key && { score: key[0], publishedAt: dateOf(key[1]), slug: key[2] };
}

/** The token of the page after a key; empty at the end. */
export function writeArticleToken(next: ArticleKey | MatchKey | undefined, filter: ArticleFilter): string {
  if (next === undefined) return '';
  const key: PageKey = [next.publishedAt.getTime(), next.slug];
  return encodePageToken(scopeOf(filter), 'score' in next ? [next.score, ...key] : key);
}

/** Reads the page token of a listing whose sort key is a time and a name. */
export function readTimeToken(token: string, scope: PageScope): { at: Date; name: string } | undefined {
  const key = decodePageToken(token, scope, ['number', 'string']);
  return key && { at: dateOf(key[0]), name: key[1] };
}

/** The token of the page after such a key; empty at the end. */
export function writeTimeToken(next: { at: Date; name: string } | undefined, scope: PageScope): string {
  return next === undefined ? '' : encodePageToken(scope, [next.at.getTime(), next.name]);
}

function scopeOf({ site, query, tag, updatedSince }: ArticleFilter): PageScope {
  return ['articles', site, query, tag, updatedSince?.getTime() ?? null];
}

function dateOf(ms: number): Date {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) throw new KnowledgeError('validation_error', 'page_token holds no time.');
  return date;
}
