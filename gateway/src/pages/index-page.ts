import type { Static } from 'typebox';
import { contentPolicy, serviceName, serviceSummary } from '../documents/service.js';
import type { ArticleEntrySchema } from '../protocol/schemas.js';
import type { SiteName, Sites } from '../sites.js';
import { day } from './dates.js';
import { type Html, html } from './html.js';
import { page } from './layout.js';

/** The newest articles of a site; undefined where they could not be asked for. */
export interface Latest {
  readonly site: SiteName;
  readonly entries: readonly Static<typeof ArticleEntrySchema>[] | undefined;
}

/** The first page: what this is, where agents begin, the newest articles of both sites. */
export function indexPage(site: SiteName, latest: readonly Latest[], sites: Sites): string {
  const base = sites.base(site);
  const main = html`<header>
<h1>${serviceName}</h1>
<p class="lede">${serviceSummary}</p>
</header>
<p>An agent begins at <a href="${base}/api/agent?site=${site}">/api/agent</a>; people who want to know what it does read <a href="${base}/for-agents?site=${site}">For agents</a>. ${contentPolicy}</p>
${latest.map(latestOf)}`;
  return page(
    { site, title: serviceName, description: serviceSummary, canonical: `${base}/?site=${site}`, main },
    sites,
  );
}

function latestOf({ site, entries }: Latest): Html {
  return html`<section class="latest" aria-labelledby="latest-${site}">
<h2 id="latest-${site}">Latest on ${site}</h2>
${
  entries === undefined
    ? html`<p>The articles cannot be listed right now; try again in a moment.</p>`
    : entries.length === 0
      ? html`<p>No articles yet.</p>`
      : html`<ol>${entries.map(
          ({ title, summary, author, language, published_at, human_url }) => html`<li lang="${language}">
<h3><a href="${human_url}">${title}</a></h3>
<p>${summary}</p>
<p class="byline" lang="en">${author} · ${day(new Date(published_at))}</p>
</li>
`,
        )}</ol>`
}
</section>
`;
}
