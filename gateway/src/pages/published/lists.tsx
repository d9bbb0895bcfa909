import { limits } from '../../protocol/limits.js';
import type { SiteName, Sites } from '../../upstream/sites.js';
import { rootPath } from '../parts/head.js';
import type { Html } from '../parts/html.js';
import { pageUrl } from '../parts/layout.js';
import { articleEntry, list } from './entries.js';
import type { Highlight } from './listings.js';

/** The search form for articles. It needs no script. */
export function searchForm(site: SiteName, sites: Sites, query = ''): Html {
  // The policy only allows forms to the same host, which may differ from the public URL.
  return (
    <search lang="en">
      <form class="search" action={`${rootPath(site, sites)}/articles`} method="get">
        <label for="q">Search the articles</label>
        <input type="hidden" name="site" value={site} />
        <input type="search" id="q" name="q" value={query} maxlength={limits.query.max} autocomplete="off" />
        <button>Search</button>
      </form>
    </search>
  );
}

/** Links to the next and previous part of a list; undefined if there are none. */
export function pager(
  path: '/articles' | '/objects' | '/prompts',
  { site, sites, cursor, next, page = 1, hasMore = false, filter = {}, words = 'Older' }: PagerParts,
): Html | undefined {
  const to = (more: Record<string, string>): string => {
    const given = Object.entries({ ...filter, ...more }).filter(([, value]) => value !== '');
    return [pageUrl(path, site, sites), ...given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)].join(
      '&',
    );
  };
  const further = hasMore ? { page: String(page + 1) } : { cursor: next };
  const isFirst = cursor === '' && page === 1;
  if (isFirst && !hasMore && next === '') return undefined;
  return (
    <nav class="pager" aria-label="More of this list">
      {!isFirst &&
        (page > 1 ? (
          <a href={to(page === 2 ? {} : { page: String(page - 1) })} rel="prev">
            Newer
          </a>
        ) : (
          <a href={to({})}>Back to the beginning</a>
        ))}{' '}
      {(hasMore || next !== '') && (
        <a href={to(further)} rel="next">
          {words}
        </a>
      )}
    </nav>
  );
}

interface PagerParts {
  readonly site: SiteName;
  readonly sites: Sites;
  /** The cursor of this page; empty for the first. */
  readonly cursor: string;
  /** The cursor of the next page; empty at the end. */
  readonly next: string;
  /** Only for numbered lists: the number of this page, and whether another follows. */
  readonly page?: number;
  readonly hasMore?: boolean;
  /** The other parameters of the list, kept in its links. */
  readonly filter?: Readonly<Record<string, string>>;
  readonly words?: string;
}

/** The articles that the editors chose, with their notes. */
export function highlightEntries(highlights: readonly Highlight[]): Html {
  return list(
    highlights.map((highlight) =>
      articleEntry(
        highlight,
        3,
        highlight.editor_note === '' ? (
          <p dir="auto">{highlight.summary}</p>
        ) : (
          <p class="note" lang="en" dir="auto">
            {highlight.editor_note}
          </p>
        ),
      ),
    ),
  );
}

/** Shown in place of a list that failed to load. */
export function unavailableNote(what: string): Html {
  return <p class="soft">{what} cannot be listed right now; try again in a moment.</p>;
}
