import { type Html, languageName, languageTag } from '@knowledge/runtime/html';
import { type SiteName, type Sites, siteTitles } from '../../upstream/sites.js';
import { page, pageUrl } from '../parts/layout.js';
import type { Facet, Facets } from './directory.js';

/** `/tags`: all tags, languages and authors of a site, with their numbers of articles. */
export function tagsPage(site: SiteName, { tags, languages, authors, isWhole }: Facets, sites: Sites): string {
  const title = `Tags, languages and authors on ${siteTitles[site]}`;
  const choices = (filter: Filter, heading: string, facets: readonly Facet[]): Html => (
    <section aria-labelledby={`${filter}s`}>
      <h2 id={`${filter}s`}>{heading}</h2>
      {tagLinks(filter, facets, site, sites)}
    </section>
  );
  const main = (
    <>
      <header>
        <h1>{title}</h1>
        <p class="lede">
          Every article by what it is about, the language it is written in, and who wrote it.
          {!isWhole && ' The newest 2,000 are counted.'}
        </p>
      </header>
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
  return (
    <ul class="tags">
      {facets.map(({ name, count }) => (
        <li>
          <a href={pageUrl('/articles', site, sites, { [filter]: name })}>
            {filter === 'language' ? (languageName(name) ?? languageTag(name) ?? name) : <bdi>{name}</bdi>}{' '}
            <span class="count">{count}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
