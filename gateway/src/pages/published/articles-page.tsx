import { type SiteName, type Sites, siteTitles } from '../../upstream/sites.js';
import type { Html } from '../parts/html.js';
import { languageName } from '../parts/language.js';
import { page, pageUrl } from '../parts/layout.js';
import { type ArticleEntry, articleEntries } from './entries.js';
import { pager, searchForm } from './lists.js';

/** The filters of the list of articles; an empty one is not set. */
export interface ArticlesQuery {
  readonly site: SiteName;
  readonly q: string;
  readonly tag: string;
  readonly language: string;
  readonly author: string;
  /** From 1; always 1 with a cursor. */
  readonly page: number;
  readonly cursor: string;
}

export interface ArticlesResult {
  readonly entries: readonly ArticleEntry[];
  /** Null if the matches were not counted. */
  readonly total: number | null;
  /** Whether the next page by number exists. */
  readonly hasMore: boolean;
  /** The cursor of the next page; empty if there is none. */
  readonly cursor: string;
  /** Whether only the other site has matches. */
  readonly isElsewhere?: boolean;
}

/** `/articles`: the articles of a site, by tag, language or author, or found by a search. */
export function articlesPage(filters: ArticlesQuery, found: ArticlesResult, sites: Sites): string {
  const { site, q, tag, language, author, cursor } = filters;
  const { entries } = found;
  const title = titleOf(filters);
  const url = pageUrl('/articles', site, sites);
  const filter = { q, tag, language, author };
  const isChosen = Object.values(filter).some((each) => each !== '');
  const main = (
    <>
      <header>
        <h1 dir="auto">{title}</h1>
        <p class="lede">
          {lede(filters, found)}
          {isChosen ? (
            <>
              {' '}
              <a href={url}>Show all articles</a>
            </>
          ) : (
            ''
          )}
        </p>
      </header>
      {searchForm(site, sites, q)}
      <div>
        <p class="byline">
          Choose by <a href={pageUrl('/tags', site, sites)}>tag, language or author</a>
        </p>
        {entries.length === 0 ? nothing(filters, found, sites) : articleEntries(entries, 2, { site, sites })}
        {pager('/articles', {
          site,
          sites,
          cursor,
          page: filters.page,
          hasMore: found.hasMore,
          next: found.cursor,
          filter,
          words: q === '' ? 'Older' : 'More',
        })}
      </div>
    </>
  );
  // Searches and empty lists have endless URLs, so search engines must not index them.
  const isHidden = q !== '' || cursor !== '' || (entries.length === 0 && (isChosen || filters.page > 1));
  const numbered = filters.page > 1 ? `, page ${filters.page}` : cursor === '' ? '' : ', continued';
  return page(
    {
      site,
      section: '/articles',
      title: `${title}${numbered}`,
      description: `Field experiences about enterprise practice, published on ${siteTitles[site]}${tag !== '' ? ` and tagged ${tag}` : ''}.`,
      canonical: isHidden
        ? undefined
        : `${url}${query({ tag, language, author, page: filters.page > 1 ? String(filters.page) : '' })}`,
      noindex: isHidden,
      main,
    },
    sites,
  );
}

function titleOf({ site, q, tag, language, author }: ArticlesQuery): string {
  const about = q !== '' ? ` about “${q}”` : tag !== '' ? ` tagged ${tag}` : '';
  const written = `${language !== '' ? ` in ${languageName(language) ?? language}` : ''}${author !== '' ? ` by ${author}` : ''}`;
  return `Articles${about}${written} on ${siteTitles[site]}`;
}

function lede({ q }: ArticlesQuery, { entries, total }: ArticlesResult): Html {
  if (q !== '') return <>{entries.length > 0 && 'Best match first; any of the words, in any form.'}</>;
  return (
    <>
      {total !== null && (
        <>
          {total} {total === 1 ? 'article' : 'articles'},{' '}
        </>
      )}
      {total === null ? 'Newest first.' : 'newest first.'}
    </>
  );
}

function nothing({ q, site }: ArticlesQuery, { isElsewhere }: ArticlesResult, sites: Sites): Html {
  const other = site === 'io' ? 'org' : 'io';
  return (
    <>
      <p>Nothing found{q !== '' && ': try fewer or other words'}.</p>
      {isElsewhere && (
        <p>
          <a href={`${pageUrl('/articles', other, sites)}&q=${encodeURIComponent(q)}`}>
            {siteTitles[other]} has articles about “{q}”
          </a>
          .
        </p>
      )}
    </>
  );
}

function query(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('');
}
