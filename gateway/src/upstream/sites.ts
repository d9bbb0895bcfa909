import { KnowledgeError, operatorOf, publicUrls, refuse, type Site } from '@knowledge/runtime';
import type { GatewayConfig } from '../config.js';

/** The name of a site in the HTTP API. */
export type SiteName = Site;

/** Both sites, in the order in which every list shows them. */
export { sites as siteNames } from '@knowledge/runtime';

/** Makes something for each site. */
export function perSite<T>(make: (site: SiteName) => T): Readonly<Record<SiteName, T>> {
  return { io: make('io'), org: make('org') };
}

export function otherSite(site: SiteName): SiteName {
  return site === 'io' ? 'org' : 'io';
}

export { siteTitles } from '@knowledge/runtime/product';
export { fromWireSite, toWireSite } from '@knowledge/runtime/wire';

/** The purpose of each site, in one sentence. */
export const sitePurposes: Readonly<Record<SiteName, string>> = {
  io: 'Building and running systems: data, integration, testing, releases, operations, security, AI in operation.',
  org: 'Working with them in an organisation: rollouts, governance, suppliers, compliance, accessibility, training, support.',
};

/** Finds the site of a request, and knows the base URL of each site and who operates it. */
export type Sites = ReturnType<typeof createSites>;

/** Makes the sites from the configuration. No URL contains text that a caller sent. `onUnknownHost` is called once. */
export function createSites(config: SitesConfig, onUnknownHost: (host: string) => void = () => undefined) {
  const urls = publicUrls(config);
  const bases = perSite((site) => urls[site].replace(/\/+$/, ''));
  const io = hostName(bases.io);
  const org = hostName(bases.org);
  const byHost = new Map<string, SiteName>(
    io === org
      ? []
      : [
          [io, 'io'],
          [org, 'org'],
        ],
  );
  const ofHost = (host = '') => (byHost.size === 0 ? config.DEFAULT_SITE : byHost.get(bareHost(host)));
  let isTold = false;
  const of = ({ site }: { readonly site?: unknown }, host: string | undefined) => {
    if (site !== undefined) return named(site);
    const found = ofHost(host);
    if (found !== undefined) return found;
    if (!isTold) onUnknownHost((host ?? '').slice(0, 100));
    isTold = true;
    const message =
      'Neither site has the host that the request names: ask at the address of a site, or name the site with ?site=io or ?site=org.';
    throw new KnowledgeError('misdirected_request', message);
  };
  return {
    /** Returns the public base URL of a site, without a slash at its end. */
    base: (site: SiteName) => bases[site],
    operator: operatorOf(config),
    /**
     * Returns the site of a request: from `?site=`, else from the host. Of two sites with one host it is the default.
     * Throws validation_error, and misdirected_request for a host of neither site.
     */
    of,
    /** Returns the site of a request in the same way. */
    ofRequest: ({ query, headers }: SiteRequest) => of(query as { site?: unknown }, headers.host),
    /** Returns the site for a failure page, even if `?site=` is invalid. */
    ofUnchecked(url: string, host: string | undefined) {
      const [first, ...more] = new URLSearchParams(url.replace(/^[^?]*/, '')).getAll('site');
      return more.length === 0 && (first === 'io' || first === 'org') ? first : (ofHost(host) ?? config.DEFAULT_SITE);
    },
  };
}

interface SiteRequest {
  readonly query: unknown;
  readonly headers: { readonly host?: string | undefined };
}

type SitesConfig = Parameters<typeof operatorOf>[0] & Pick<GatewayConfig, 'DEFAULT_SITE'>;

function named(site: unknown): SiteName {
  if (site === 'io' || site === 'org') return site;
  refuse('site: must be io or org, given once');
}

function hostName(base: string) {
  return new URL(base).hostname.toLowerCase();
}

function bareHost(host: string) {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
