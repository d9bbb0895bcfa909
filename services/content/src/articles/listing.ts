import { codePoints, type Fault, type PageScope, refuseFaults, type Site } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import { tagFilterFault } from '../base/bounds.js';

/** The filter of a listing of articles. */
export interface ArticleFilter {
  readonly site: Site;
  /** The words of a full-text search; empty for no search. */
  readonly query: string;
  /** A tag that the articles must have; empty for all articles. */
  readonly tag: string;
  readonly updatedSince: Date | undefined;
}

/** @throws KnowledgeError `validation_error` naming every failing filter. */
export function checkArticleFilter(filter: ArticleFilter): void {
  refuseFaults([
    queryFault(filter.query),
    tagFilterFault(filter.tag),
    Number.isNaN(filter.updatedSince?.getTime()) && 'updated_since must be a time',
  ]);
}

/**
 * Reads the words and the tag of the listing for editors.
 *
 * @throws KnowledgeError `validation_error` naming every failing filter.
 */
export function checkRecordFilter(query: string, tag: string): { words: readonly string[]; tag: string } {
  const words = query.split(/\s+/).filter((word) => word !== '');
  const isLong = codePoints(query) > 200 || words.length > 8;
  refuseFaults([isLong && 'query must have at most 8 words and 200 characters', tagFilterFault(tag)]);
  return { words, tag };
}

/** @throws KnowledgeError `validation_error` for the words of a search that are too long. */
export function checkQuery(query: string): void {
  refuseFaults([queryFault(query)]);
}

/** The list that the page tokens of a filter belong to. */
export function articleScope({ site, query, tag, updatedSince }: ArticleFilter): PageScope {
  return ['articles', site, query, tag, updatedSince?.getTime() ?? null];
}

function queryFault(query: string): Fault {
  return codePoints(query) > bounds.query.max && `query must have at most ${bounds.query.max} characters`;
}
