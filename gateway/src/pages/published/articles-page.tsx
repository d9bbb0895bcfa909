import { type Fragment, type Html, languageName, languageTag } from '@knowledge/runtime/html';
import { otherSite, type SiteName, type Sites, siteTitles } from '../../upstream/sites.js';
import { page, pageHead, pageUrl, titledSection } from '../parts/layout.js';
import type { ArticleFilters, ArticleList, Facet, Facets } from './directory.js';
import { articleEntries, linkTags, pager, searchForm } from './entries.js';

/** The list of articles that was requested; an empty filter is not set. */
export interface ArticlesQuery extends ArticleFilters {
  readonly site: SiteName;
  readonly q: string;
  /** From 1; always 1 with a cursor. */
  readonly page: number;
  readonly cursor: string;
}

export interface ArticlesResult extends ArticleList {
  /** Whether only the other site has matches. */
  readonly isElsewhere?: boolean;
  /** What to do next if a search finds nothing that fits. */
  readonly hint?: string | null;
}

/** `/articles`: the articles of a site, by tag, language or author, or found by a search. */
export function articlesPage(query: ArticlesQuery, found: ArticlesResult, sites: Sites): string {
  const { site, q, tag, language, author, cursor } = query;
  const { entries, hasMore } = found;
  const title = titleOf(query);
  const filter = { q, tag, language, author };
  const isChosen = Object.values(filter).some((each) => each !== '');
  const more = { page: query.page, hasMore, cursor, next: found.cursor, words: q === '' ? 'Older' : 'More' };
  const main = (
    <>
      <header>
        <h1 dir="auto">{title}</h1>
        <p class="lede">
          {lede(query, found)}
          {isChosen && [' ', <a href={pageUrl('/articles', site, sites)}>Show all articles</a>]}
        </p>
      </header>
      {searchForm(site, sites, q)}
      <div>
        <p class="byline">
          Choose by <a href={pageUrl('/tags', site, sites)}>tag, language or author</a>
        </p>
        {entries.length === 0 ? nothing(query, found, sites) : articleEntries(entries, 2, { site, sites })}
        {pager({ ...more, url: (part) => pageUrl('/articles', site, sites, { ...filter, ...part }) })}
      </div>
    </>
  );
  // Searches and empty lists have endless URLs, so search engines must not index them.
  const isHidden = q !== '' || cursor !== '' || (entries.length === 0 && (isChosen || query.page > 1));
  const number = query.page > 1 ? String(query.page) : '';
  return page(sites, {
    site,
    section: '/articles',
    title: `${title}${number !== '' ? `, page ${number}` : cursor === '' ? '' : ', continued'}`,
    description: `Field experiences about enterprise practice, published on ${siteTitles[site]}${tag !== '' ? ` and tagged ${tag}` : ''}.`,
    canonical: isHidden ? undefined : pageUrl('/articles', site, sites, { tag, language, author, page: number }),
    noindex: isHidden,
    main,
  });
}

function titleOf({ site, q, tag, language, author }: ArticlesQuery) {
  const about = q !== '' ? ` about “${q}”` : tag !== '' ? ` tagged ${tag}` : '';
  const written = `${language !== '' ? ` in ${languageName(language) ?? language}` : ''}${author !== '' ? ` by ${author}` : ''}`;
  return `Articles${about}${written} on ${siteTitles[site]}`;
}

function lede({ q }: ArticlesQuery, { entries, total }: ArticlesResult): Fragment {
  if (q !== '') return entries.length > 0 && 'Best match first; any of the words, in any form.';
  return total === null ? 'Newest first.' : `${total} ${total === 1 ? 'article' : 'articles'}, newest first.`;
}

function nothing({ q, site }: ArticlesQuery, { isElsewhere, hint }: ArticlesResult, sites: Sites) {
  const other = otherSite(site);
  return (
    <>
      <p>{hint ?? 'Nothing found.'}</p>
      {isElsewhere && (
        <p>
          <a href={pageUrl('/articles', other, sites, { q })}>
            {siteTitles[other]} has articles about “<bdi>{q}</bdi>”
          </a>
          .
        </p>
      )}
    </>
  );
}

/** `/tags`: all tags, languages and authors of a site, with their numbers of articles. */
export function tagsPage(site: SiteName, { tags, languages, authors, isWhole }: Facets, sites: Sites): string {
  const title = `Tags, languages and authors on ${siteTitles[site]}`;
  const choices = (filter: Filter, heading: string, facets: readonly Facet[]) =>
    titledSection(`${filter}s`, heading, tagLinks(filter, facets, site, sites));
  const main = (
    <>
      {pageHead(title, [
        'Every article by what it is about, the language it is written in, and who wrote it.',
        !isWhole && ' The newest 2,000 are counted.',
      ])}
      <div class="facets">
        {choices('tag', 'Tags', tags)}
        {choices('language', 'Languages', languages)}
        {choices('author', 'Authors', authors)}
      </div>
    </>
  );
  return page(sites, {
    site,
    section: '/articles',
    title,
    description: `What the articles on ${siteTitles[site]} are about, and who wrote them.`,
    canonical: pageUrl('/tags', site, sites),
    main,
  });
}

type Filter = 'tag' | 'language' | 'author';

/** Links to the articles with a tag, language or author, with their numbers. */
export function tagLinks(filter: Filter, facets: readonly Facet[], site: SiteName, sites: Sites): Html {
  return linkTags(
    facets.map(({ name, count }) => ({
      url: pageUrl('/articles', site, sites, { [filter]: name }),
      content: [
        filter === 'language' ? (languageName(name) ?? languageTag(name) ?? name) : <bdi>{name}</bdi>,
        ' ',
        <span class="count">{count}</span>,
      ],
    })),
  );
}
