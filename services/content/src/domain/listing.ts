import {
  codePoints,
  decodePageToken,
  encodePageToken,
  type ListPosition,
  type PageScope,
  pageToken,
  readPageSize,
  readPageTime,
  type Site,
} from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import { collectFaults, isTag, tagBound } from './bounds.js';

/** The filter of a listing of articles. */
export interface ArticleFilter {
  readonly site: Site;
  /** The words of a full-text search; empty for no search. */
  readonly query: string;
  /** A tag that the articles must have; empty for all articles. */
  readonly tag: string;
  readonly updatedSince: Date | undefined;
}

/** The position of a search result. Results are sorted by score before time and slug. */
export interface MatchPosition extends ListPosition {
  readonly score: number;
}

/** @throws KnowledgeError `validation_error` naming every failing filter. */
export function checkArticleFilter(filter: ArticleFilter): void {
  const faults = collectFaults();
  if (codePoints(filter.query) > bounds.query.max)
    faults.add('query', `must have at most ${bounds.query.max} characters`);
  if (filter.tag !== '' && !isTag(filter.tag)) faults.add('tag', `must be ${tagBound}`);
  if (Number.isNaN(filter.updatedSince?.getTime())) faults.add('updated_since', 'must be a time');
  faults.throwIfAny();
}

/** The list that the page tokens of a filter belong to. */
export function articleScope({ site, query, tag, updatedSince }: ArticleFilter): PageScope {
  return ['articles', site, query, tag, updatedSince?.getTime() ?? null];
}

/**
 * Reads `page_size` and `page_token` of a search.
 *
 * @throws KnowledgeError `validation_error` as `readPageQuery`.
 */
export function readMatchQuery(request: { pageSize: number; pageToken: string }, scope: PageScope): MatchQuery {
  const size = readPageSize(request.pageSize);
  const key = decodePageToken(request.pageToken, scope, ['number', 'number', 'string']);
  return { size, after: key && { score: key[0], at: readPageTime(key[1]), id: key[2] } };
}

export interface MatchQuery {
  readonly size: number;
  readonly after: MatchPosition | undefined;
}

/** Writes the token of a position in the index or a search; empty if there is no next list page. */
export function articleToken(next: ListPosition | MatchPosition | undefined, scope: PageScope): string {
  if (next === undefined || !('score' in next)) return pageToken(next, scope);
  return encodePageToken(scope, [next.score, next.at.getTime(), next.id]);
}
