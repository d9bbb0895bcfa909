import { type Fragment, languageName } from '@knowledge/runtime/html';
import { publishedKinds, publishedTexts } from '@knowledge/runtime/product';
import type { Static } from 'typebox';
import { listUrl } from '../../present/article.js';
import type { Hit, SearchTerms } from '../../present/search.js';
import { type SearchResultsSchema, searchSites } from '../../protocol/search.js';
import { type SiteName, type Sites, siteTitles } from '../../upstream/sites.js';
import { moreLink, page, pageUrl, titledSection } from '../parts/layout.js';
import { tagLinks } from './articles-page.js';
import type { Facet } from './directory.js';
import { chosenByEditors, type Highlight, linkTags, list, pager, searchForm } from './entries.js';
import { hitEntry } from './hit-entry.js';

/** What a reader searched for. Without `q` the page shows only the form. */
export interface AskedSearch extends Omit<SearchTerms, 'limit' | 'isBrief'> {
  /** The site whose page this is. */
  readonly home: SiteName;
  readonly cursor: string;
}

/** What was found. */
export interface FoundSearch
  extends Pick<Results, 'total' | 'facets' | 'did_you_mean' | 'hint' | 'other_sites' | 'next_cursor'> {
  readonly entries: readonly Hit[];
  /** The first hits of the other site, if little was found. */
  readonly elsewhere: readonly Hit[];
}

type Results = Static<typeof SearchResultsSchema>;

/** Where to start without a question, or if nothing was found. A part that failed to load is undefined. */
export interface SearchStart {
  readonly highlights: readonly Highlight[] | undefined;
  readonly tags: readonly Facet[] | undefined;
}

/** `/search`: articles and texts of the community, found by a question. */
export function searchPage(
  asked: AskedSearch,
  found: FoundSearch | undefined,
  start: SearchStart | undefined,
  sites: Sites,
): string {
  const { home, site, q, cursor } = asked;
  const { highlights = [], tags = [] } = start ?? {};
  const narrowing = found && filters(asked, found, sites);
  const title = q === '' ? 'Search' : `Search for “${shortened(q)}”`;
  const main = (
    <>
      <header class="ask">
        <h1 dir="auto">{title}</h1>
        {searchForm(home, sites, q, site)}
        <p class="lede">
          {found === undefined
            ? 'Ask in your own words, in English or the language of the text: articles and what the community sent are found by all of them.'
            : countWords(found, asked)}
        </p>
      </header>
      <div class="columns">
        <div>
          {found !== undefined && [
            <nav class="kinds" aria-label="Where to search">
              {searchSites.map((each) => [
                <a href={urlOf(asked, sites, { site: each })} aria-current={each === site && 'true'}>
                  {each === 'all' ? 'Both sites' : siteTitles[each]}
                </a>,
                ' ',
              ])}
            </nav>,
            found.did_you_mean !== null && (
              <p>
                Did you mean{' '}
                <a href={urlOf(asked, sites, { q: found.did_you_mean })}>
                  <bdi>{found.did_you_mean}</bdi>
                </a>
                ?
              </p>
            ),
            narrowing && (
              <p class="more narrow">
                <a href="#narrow">Narrow down</a>
              </p>
            ),
            hitLists(asked, found),
            pager({
              url: (part) => urlOf(asked, sites, part),
              cursor,
              next: isMixed(found.entries) ? '' : (found.next_cursor ?? ''),
              words: 'More',
            }),
            otherSites(asked, found, sites),
          ]}
          {chosenByEditors(highlights)}
        </div>
        <div>
          {narrowing}
          {tags.length > 0 &&
            titledSection('tags', 'What the articles are about', [
              tagLinks('tag', tags.slice(0, 24), home, sites),
              moreLink(pageUrl('/tags', home, sites), 'All tags, languages and authors'),
            ])}
        </div>
      </div>
    </>
  );
  return page(sites, {
    site: home,
    section: '/search',
    title: `${title}${q === '' ? '' : whereWords(asked)}${cursor === '' ? '' : ', continued'}`,
    description: `Search in field experiences about enterprise practice: articles, ${publishedTexts}.`,
    canonical: q === '' ? pageUrl('/search', home, sites) : undefined,
    // Searches have endless URLs, so search engines must not index them.
    noindex: q !== '',
    main,
  });
}

/** The most characters of a question in the heading; the form below has all of it. */
const longestShown = 80;

function shortened(question: string) {
  const characters = [...question];
  return characters.length <= longestShown ? question : `${characters.slice(0, longestShown - 1).join('')}…`;
}

type Filter = 'kind' | 'language' | 'tag' | 'author';

const filterNames: readonly Filter[] = ['kind', 'language', 'tag', 'author'];

function urlOf(asked: AskedSearch, sites: Sites, changes: Partial<Record<Filter | 'site' | 'q' | 'cursor', string>>) {
  const { home, site, q, kind, language, tag, author } = asked;
  return listUrl(`${sites.base(home)}/search`, { site, q, kind, language, tag, author, ...changes });
}

// Tells searches with the same words apart, for example in the list of open pages.
function whereWords({ site, kind, language, tag, author }: AskedSearch) {
  const texts = [
    kind !== '' && ` in ${kinds[kind]?.plural.toLowerCase() ?? kind}`,
    tag !== '' && ` tagged ${tag}`,
    language !== '' && ` in ${languageName(language) ?? language}`,
    author !== '' && ` by ${author}`,
  ];
  return [...texts.filter((words) => words !== false), ` on ${site === 'all' ? 'both sites' : siteTitles[site]}`].join(
    '',
  );
}

function countWords({ total, hint, entries }: FoundSearch, asked: AskedSearch) {
  if (total === 0 && hint !== null) return hint;
  const chosen = filterNames.some((name) => asked[name] !== '') ? ', as you narrowed it down' : '';
  // Weak hits come last, so the first page counts the others where it has both.
  const count = asked.cursor === '' && isMixed(entries) ? entries.filter(({ weak }) => !weak).length : total;
  return `${count} ${count === 1 ? 'text' : 'texts'}${chosen}, best match first.`;
}

/** The filters as links with counts. A chosen one leads back to the search without it. */
function filters(asked: AskedSearch, { facets, entries }: FoundSearch, sites: Sites) {
  const chosen = filterNames.filter((name) => asked[name] !== '');
  const groups = [
    ['kind', 'Kind', facets?.kind],
    ['language', 'Language', facets?.language],
    ['tag', 'Tag', facets?.tag],
  ] as const;
  // Counts have weak hits too, which would be more than the page says.
  const isExact = !entries.some(({ weak }) => weak);
  const open = groups.filter(([name, , values]) => asked[name] === '' && (values?.length ?? 0) > 1);
  if (open.length === 0 && chosen.length === 0) return undefined;
  return (
    <div class="facets" id="narrow">
      {chosen.length > 0 &&
        linkTags(
          chosen.map((name) => {
            const words = wordsOf(name, asked[name]);
            const cross = (
              <span class="count" aria-hidden="true">
                ×
              </span>
            );
            const content = [<bdi>{words}</bdi>, ' ', cross];
            return { url: urlOf(asked, sites, { [name]: '' }), label: `Remove ${words}`, content };
          }),
        )}
      {open.map(([name, heading, values = []]) => {
        const tags = values.map(({ value, count }) => ({
          url: urlOf(asked, sites, { [name]: value }),
          content: [<bdi>{wordsOf(name, value)}</bdi>, ' ', isExact && <span class="count">{count}</span>],
        }));
        return titledSection(`by-${name}`, heading, linkTags(tags));
      })}
    </div>
  );
}

function wordsOf(filter: Filter, value: string) {
  if (filter === 'language') return languageName(value) ?? value;
  if (filter === 'kind') return kinds[value]?.name ?? value;
  return value;
}

const kinds: Readonly<Record<string, { readonly name: string; readonly plural: string }>> = {
  ...publishedKinds,
  article: { name: 'Article', plural: 'Articles' },
  object: { name: 'From the community', plural: 'Objects' },
};

/** The most weak hits after good ones. Nothing after them fits better, so the list ends there. */
const mostWeak = 5;

function isMixed(hits: readonly Hit[]) {
  return hits.some(({ weak }) => weak) && hits.some(({ weak }) => !weak);
}

function hitLists({ site }: AskedSearch, { entries }: FoundSearch): Fragment {
  const namesSite = site === 'all';
  const good = entries.filter(({ weak }) => !weak);
  const weak = entries.filter((hit) => hit.weak);
  const note = <p class="byline">Little shows that these texts are about your question.</p>;
  return [
    good.length > 0 && titledSection('matches', 'Best matches', hitList(good, namesSite), 'listed'),
    isMixed(entries) && (
      <details class="weak">
        <summary>
          <h2>Less likely</h2>
        </summary>
        {note}
        {hitList(weak.slice(0, mostWeak), namesSite)}
      </details>
    ),
    weak.length > 0 &&
      good.length === 0 &&
      titledSection('weak', 'Less likely', [note, hitList(weak, namesSite)], 'listed'),
  ];
}

/** How much the other site has, and its first hits where this one has little. */
function otherSites(asked: AskedSearch, { elsewhere, other_sites }: FoundSearch, sites: Sites): Fragment {
  return other_sites.map(
    ({ site, total }) =>
      total > 0 &&
      titledSection(
        `on-${site}`,
        `On ${siteTitles[site]}`,
        [
          elsewhere.length > 0 && hitList(elsewhere, false),
          moreLink(urlOf({ ...asked, home: site }, sites, { site }), `Search ${siteTitles[site]}`),
        ],
        'listed',
      ),
  );
}

function hitList(hits: readonly Hit[], namesSite: boolean) {
  return list(hits.map((hit) => hitEntry(hit, namesSite)));
}
