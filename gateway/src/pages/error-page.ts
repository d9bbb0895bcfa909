import { errorCatalogue, type KnowledgeError } from '@knowledge/runtime';
import type { SiteName, Sites } from '../sites.js';
import { html } from './html.js';
import { page } from './layout.js';

/** A failure as a page: what happened, what to do next, and what to quote when asking for help. */
export function errorPage(error: KnowledgeError, requestId: string, site: SiteName, sites: Sites): string {
  const { http } = errorCatalogue[error.code];
  const title = titles[http] ?? 'This did not work';
  const main = html`<article class="failure">
<p class="kicker">${http}</p>
<h1>${title}</h1>
<p>${error.message}</p>
<p><a href="${sites.base(site)}/?site=${site}">To the first page</a></p>
<p class="small"><code>${error.code}</code> · request <code>${requestId}</code></p>
</article>`;
  return page({ site, title, noindex: true, main }, sites);
}

const titles: Readonly<Record<number, string>> = {
  400: 'This address is not right',
  404: 'Nothing is here',
  405: 'Not this way',
  429: 'A little slower, please',
  500: 'Something went wrong',
  503: 'Not right now',
};
