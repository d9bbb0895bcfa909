import { codePoints, type PageScope, type Site } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import { checkTagFilter, collectFaults, type Faults } from './bounds.js';

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
  const faults = collectFaults();
  checkQueryLength(faults, filter.query);
  checkTagFilter(faults, filter.tag);
  if (Number.isNaN(filter.updatedSince?.getTime())) faults.add('updated_since', 'must be a time');
  faults.throwIfAny();
}

/**
 * Reads the words and the tag of the listing for editors.
 *
 * @throws KnowledgeError `validation_error` naming every failing filter.
 */
export function checkRecordFilter(query: string, tag: string): { words: readonly string[]; tag: string } {
  const faults = collectFaults();
  const words = query.split(/\s+/).filter((word) => word !== '');
  if (codePoints(query) > 200 || words.length > 8) faults.add('query', 'must have at most 8 words and 200 characters');
  checkTagFilter(faults, tag);
  faults.throwIfAny();
  return { words, tag };
}

/** @throws KnowledgeError `validation_error` for the words of a search that are too long. */
export function checkQuery(query: string): void {
  const faults = collectFaults();
  checkQueryLength(faults, query);
  faults.throwIfAny();
}

/** The list that the page tokens of a filter belong to. */
export function articleScope({ site, query, tag, updatedSince }: ArticleFilter): PageScope {
  return ['articles', site, query, tag, updatedSince?.getTime() ?? null];
}

function checkQueryLength(faults: Faults, query: string) {
  if (codePoints(query) > bounds.query.max) faults.add('query', `must have at most ${bounds.query.max} characters`);
}
