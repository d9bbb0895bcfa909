import type { SiteName } from '../upstream/sites.js';
import { readAgentEntry, readOpenApi } from './document-operations.js';
import { siteUrl, urlOf } from './service-words.js';

/** A link to a related resource (RFC 8288). It can go into a header, a page or a linkset. */
export interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type: string;
  readonly title?: string;
}

/** Links that lead an agent from a page or document to the API (RFC 8631, RFC 9727). */
export function serviceLinks(at: { site: SiteName; base: string }): readonly Link[] {
  return [
    { rel: 'service-meta', href: urlOf(readAgentEntry, at), type: 'application/json', title: 'Where agents begin' },
    { rel: 'service-desc', href: urlOf(readOpenApi, at), type: 'application/json', title: 'OpenAPI 3.1' },
    { rel: 'service-doc', href: siteUrl('/for-agents', at), type: 'text/html', title: 'The protocol, readable' },
    { rel: 'api-catalog', href: `${at.base}${apiCatalogPath}`, type: 'application/linkset+json' },
  ];
}

/** The path that RFC 9727 section 2 prescribes for an API catalog. */
export const apiCatalogPath = '/.well-known/api-catalog';

/** The links to the JSON and the Markdown of an article or object. */
function formLinks(apiUrl: string): readonly Link[] {
  return [
    { rel: 'alternate', href: apiUrl, type: 'application/json' },
    { rel: 'alternate', href: apiUrl, type: 'text/markdown' },
  ];
}

/** Writes the `Link` header of an article or object: its JSON, its Markdown and its page. */
export function linkHeaderOfText({ api_url, human_url }: { api_url: string; human_url: string }): string {
  return linkHeader([...formLinks(api_url), { rel: 'canonical', href: human_url, type: 'text/html' }]);
}

/** Writes links as the value of a `Link` header. The URLs of this service need no escaping. */
export function linkHeader(links: readonly Link[]): string {
  return links
    .map(({ rel, href, type, title }) => {
      const named = title === undefined ? '' : `; title="${title}"`;
      return `<${href}>; rel="${rel}"; type="${type}"${named}`;
    })
    .join(', ');
}
