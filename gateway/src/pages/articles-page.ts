import { type SiteName, type Sites, siteTitles } from '../sites.js';
import { articleEntries } from './entries.js';
import { html } from './html.js';
import { page, pageUrl } from './layout.js';
import type { ArticleList } from './listings.js';
import { pager, searchForm } from './lists.js';

/** What the list of articles was asked with; empty is not asked. */
export interface ArticlesAsked {
  readonly site: SiteName;
  readonly q: string;
  readonly tag: string;
  readonly cursor: string;
}

/** `/articles`: all articles of a site, those with a tag, or those that a search found. */
export function articlesPage(asked: ArticlesAsked, found: ArticleList, sites: Sites): string {
  const { site, q, tag, cursor } = asked;
  const { entries, total, next_cursor } = found;
  const title = `${q !== '' ? `Articles about “${q}”` : tag !== '' ? `Articles tagged ${tag}` : 'Articles'} on ${siteTitles[site]}`;
  const url = pageUrl('/articles', site, sites);
  const isWhole = q === '' && tag === '';
  const main = html`<header>
<h1 dir="auto">${title}</h1>
<p class="lede">${
    isWhole
      ? html`${total !== null && html`${total} ${total === 1 ? 'article' : 'articles'}, `}newest first.`
      : html`${q === '' ? 'Newest first.' : 'Best match first; any of the words, in any form.'} <a href="${url}">Show all articles</a>`
  }</p>
</header>
${searchForm(site, sites, q)}
<div>
${entries.length === 0 ? html`<p>Nothing found${q !== '' && ': try fewer or other words'}.</p>` : articleEntries(entries, 2)}
${pager('/articles', { site, sites, cursor, next: next_cursor ?? '', filter: { q, tag }, words: q === '' ? 'Older' : 'More' })}
</div>`;
  return page(
    {
      site,
      section: '/articles',
      title: cursor === '' ? title : `${title}, continued`,
      description: `Field experiences about enterprise practice, published on ${siteTitles[site]}${tag !== '' ? ` and tagged ${tag}` : ''}.`,
      canonical: q !== '' || cursor !== '' ? undefined : tag === '' ? url : `${url}&tag=${encodeURIComponent(tag)}`,
      // Pages of a search are endless; those of a list lead to what is worth finding.
      noindex: q !== '' || cursor !== '',
      main,
    },
    sites,
  );
}
