import type { Fragment, Html } from '@knowledge/runtime/html';
import { limits } from '../../protocol/limits.js';
import type { SiteName, Sites } from '../../upstream/sites.js';
import { rootPath } from '../parts/head.js';
import { pageUrl } from '../parts/layout.js';
import { articleEntry, list } from './entries.js';
import type { Highlight } from './listings.js';

/** The form for a search; `within` is the site to search, or all. It needs no script. */
export function searchForm(site: SiteName, sites: Sites, query = '', within: SiteName | 'all' = site): Html {
  // The policy only allows forms to the same host, which may differ from the public URL.
  return (
    <search lang="en">
      <form class="search" action={`${rootPath(site, sites)}/search`} method="get">
        <label for="q">Search articles, stories and replies</label>
        <input type="hidden" name="site" value={within} />
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
  const hasNext = hasMore || next !== '';
  if (cursor === '' && page === 1 && !hasNext) return undefined;
  const url = (more: Record<string, string>): string => pageUrl(path, site, sites, { ...filter, ...more });
  const newer = (
    <a href={url(page > 2 ? { page: String(page - 1) } : {})} rel="prev">
      Newer
    </a>
  );
  return (
    <nav class="pager" aria-label="More of this list">
      {page > 1 ? newer : cursor !== '' && <a href={url({})}>Back to the beginning</a>}{' '}
      {hasNext && (
        <a href={url(hasMore ? { page: String(page + 1) } : { cursor: next })} rel="next">
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
  readonly filter?: Readonly<Record<string, string | undefined>>;
  readonly words?: string;
}

/** The articles that the editors chose, with their notes. */
export function highlightEntries(highlights: readonly Highlight[]): Html {
  const noteOf = ({ editor_note, summary }: Highlight): Fragment =>
    editor_note === '' ? (
      summary && <p dir="auto">{summary}</p>
    ) : (
      <p class="note" lang="en" dir="auto">
        {editor_note}
      </p>
    );
  return list(highlights.map((highlight) => articleEntry(highlight, 3, noteOf(highlight))));
}

/** Shown in place of a list that failed to load. */
export function unavailableNote(what: string): Html {
  return <p class="soft">{what} cannot be listed right now; try again in a moment.</p>;
}
