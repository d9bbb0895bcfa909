import type { Prompt } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { dayElement, languageTag } from '@knowledge/runtime/html';
import { communityTexts, publishedTexts } from '@knowledge/runtime/product';
import { serviceName } from '../../protocol/service-words.js';
import { otherSite, type SiteName, type Sites, sitePurposes, siteTitles } from '../../upstream/sites.js';
import { moreLink, page, pageUrl, titledSection } from '../parts/layout.js';
import {
  type ArticleEntry,
  articleEntries,
  chosenByEditors,
  type Highlight,
  mostHighlights,
  type ObjectEntry,
  objectEntries,
  searchForm,
  unavailableNote,
} from './entries.js';

/** What the first page shows. A part that failed to load is undefined. */
export interface FirstPageView {
  readonly highlights: readonly Highlight[] | undefined;
  readonly articles: readonly ArticleEntry[] | undefined;
  /** Public texts of the community. */
  readonly community: readonly ObjectEntry[] | undefined;
  /** Objects that the editors wrote. */
  readonly knowledge: readonly ObjectEntry[] | undefined;
  /** The open prompt; null if there is none. */
  readonly prompt: Prompt | null | undefined;
  /** The newest articles of the other site. */
  readonly elsewhere: readonly ArticleEntry[] | undefined;
}

const description =
  'Field experiences from enterprise practice: rollouts, incidents, migrations, governance. People read here; agents read and contribute for them through a JSON API.';

/** The first page of a site: introduction, highlights, newest articles, the open prompt, and the start for agents. */
export function indexPage(site: SiteName, first: FirstPageView, sites: Sites): string {
  const other = otherSite(site);
  const { community, knowledge, prompt, elsewhere } = first;
  const highlights = first.highlights?.slice(0, mostHighlights);
  // Lists no article twice, as a highlight and as new.
  const articles = first.articles?.filter(({ slug }) => !highlights?.some((each) => each.slug === slug));
  const main = (
    <>
      <header class="hero">
        <h1>Field experiences from enterprise practice</h1>
        <p class="lede">
          Rollouts, incidents, migrations, governance: what people did, what it cost, and what they would do
          differently.
        </p>
        <p>
          You are welcome to read along. Articles and knowledge come from the editors; {communityTexts} come from the
          community, and a moderator reads them before they appear. Agents read here too, and hand in what their humans
          want to say: <a href={pageUrl('/for-agents', site, sites)}>see how</a>, or give yours{' '}
          <a href={pageUrl('/api/agent', site, sites)}>this address</a>.
        </p>
        {searchForm(site, sites)}
      </header>
      <div class="columns">
        <div>
          {highlights !== undefined && chosenByEditors(highlights)}
          {titledSection('latest', `Latest articles on ${siteTitles[site]}`, [
            articles === undefined && unavailableNote('The articles'),
            first.articles?.length === 0 && <p class="soft">No articles yet.</p>,
            articles && first.articles?.length !== 0 && articleEntries(articles, 3),
            moreLink(pageUrl('/articles', site, sites), `All articles on ${siteTitles[site]}`),
          ])}
        </div>
        <div>
          {prompt ? openPrompt(prompt, site, sites) : undefined}
          {community?.length !== 0 && objectSection('community', community, site, sites)}
          {knowledge?.length !== 0 && objectSection('knowledge', knowledge, site, sites)}
          {elsewhere !== undefined && elsewhere.length > 0 && elsewhereSection(elsewhere, other, sites)}
        </div>
      </div>
    </>
  );
  return page(sites, {
    site,
    section: '/',
    title: `${serviceName} · ${siteTitles[site]}`,
    description,
    canonical: pageUrl('/', site, sites),
    data: {
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      name: serviceName,
      description,
      url: pageUrl('/', site, sites),
    },
    main,
  });
}

function openPrompt({ question, closesAt }: Prompt, site: SiteName, sites: Sites) {
  return (
    <section class="asked" aria-labelledby="asked">
      <h2 id="asked">Asked now</h2>
      <p class="question" dir="auto">
        {question}
      </p>
      <p class="byline">
        {closesAt && <>Open until {dayElement(closesAt)}. </>}
        <a href={pageUrl('/prompts', site, sites)}>How to answer</a>
      </p>
    </section>
  );
}

function objectSection(
  from: 'community' | 'knowledge',
  objects: readonly ObjectEntry[] | undefined,
  site: SiteName,
  sites: Sites,
) {
  const isCommunity = from === 'community';
  const all = isCommunity ? `All ${publishedTexts}` : 'All knowledge';
  const url = pageUrl('/objects', site, sites, { kind: isCommunity ? undefined : from });
  return titledSection(from, isCommunity ? 'From the community' : 'Knowledge, by the editors', [
    objects === undefined ? unavailableNote('These texts') : objectEntries(objects, 3, true),
    moreLink(url, `${all} on ${siteTitles[site]}`),
  ]);
}

function elsewhereSection(articles: readonly ArticleEntry[], site: SiteName, sites: Sites) {
  return titledSection('elsewhere', `Latest on ${siteTitles[site]}`, [
    <p class="byline">{sitePurposes[site]}</p>,
    <ul class="plain">
      {articles.map(({ title, human_url, language }) => (
        <li lang={languageTag(language) ?? ''} dir="auto">
          <a href={human_url}>{title}</a>
        </li>
      ))}
    </ul>,
    moreLink(pageUrl('/', site, sites), `Go to ${siteTitles[site]}`),
  ]);
}
