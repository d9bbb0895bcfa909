import { limits } from '../../protocol/limits.js';
import type { SiteName, Sites } from '../../upstream/sites.js';
import { rootPath } from '../parts/head.js';
import type { Html } from '../parts/html.js';
import { pageUrl } from '../parts/layout.js';
import { articleEntry, list } from './entries.js';
import type { Highlight } from './listings.js';

/** The search of the articles: a form that needs no script. */
export function searchForm(site: SiteName, sites: Sites, query = ''): Html {
  // Sent to the host of the page, which the policy of the page allows, whatever its public URL is.
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

/** Where a list goes on, and back to where it begins; nothing where all of it is shown. */
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
  /** Of this page, empty for the first. */
  readonly cursor: string;
  /** Of the next page, empty at the end. */
  readonly next: string;
  /** The number of this page and whether there is another one, for a list by number. */
  readonly page?: number;
  readonly hasMore?: boolean;
  /** What else the list was asked with. */
  readonly filter?: Readonly<Record<string, string>>;
  readonly words?: string;
}

/** The editors' choice, with their notes. */
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

/** What stands in the place of something that could not be asked for. */
export function notNow(what: string): Html {
  return <p class="soft">{what} cannot be listed right now; try again in a moment.</p>;
}
