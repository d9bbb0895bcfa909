import { type SiteName, type Sites, siteTitles } from '../../upstream/sites.js';
import type { Html } from '../parts/html.js';
import { languageName, languageTag } from '../parts/language.js';
import { page, pageUrl } from '../parts/layout.js';
import type { Facet, Facets } from './directory.js';

/** `/tags`: all tags, languages and authors of a site, with their numbers of articles. */
export function tagsPage(site: SiteName, { tags, languages, authors, isWhole }: Facets, sites: Sites): string {
  const title = `Tags, languages and authors on ${siteTitles[site]}`;
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
  return page(
    {
      site,
      section: '/articles',
      title,
      description: `What the articles on ${siteTitles[site]} are about, and who wrote them.`,
      canonical: pageUrl('/tags', site, sites),
      main,
    },
    sites,
  );

  function choices(name: 'tag' | 'language' | 'author', heading: string, facets: readonly Facet[]): Html {
    const url = pageUrl('/articles', site, sites);
    return (
      <section aria-labelledby={`${name}s`}>
        <h2 id={`${name}s`}>{heading}</h2>
        <ul class="tags">
          {facets.map((each) => (
            <li>
              <a href={`${url}&${name}=${encodeURIComponent(each.name)}`}>
                {wordsOf(name, each.name)} <span class="count">{each.count}</span>
              </a>
            </li>
          ))}
        </ul>
      </section>
    );
  }
}

function wordsOf(kind: string, name: string): Html {
  if (kind !== 'language') return <bdi>{name}</bdi>;
  return <>{languageName(name) ?? languageTag(name) ?? name}</>;
}
