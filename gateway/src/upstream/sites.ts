import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { KnowledgeError, type Operator, operatorOf } from '@knowledge/runtime';
import type { GatewayConfig } from '../config.js';

/** A site as the HTTP API names it. */
export type SiteName = 'io' | 'org';

/** Both sites, in the order of every list. */
export const siteNames: readonly SiteName[] = ['io', 'org'];

/** The name of each site for people. */
export const siteTitles: Readonly<Record<SiteName, string>> = { io: 'Engineering', org: 'Organisation' };

/** What each site is for, in one sentence. */
export const sitePurposes: Readonly<Record<SiteName, string>> = {
  io: 'Building and running systems: data, integration, testing, releases, operations, security, AI in operation.',
  org: 'Working with them in an organisation: rollouts, governance, suppliers, compliance, accessibility, training, support.',
};

/** The site of a request, the base URL of each site, and who runs them. */
export interface Sites {
  /** The site of a request: `?site=` if given, else the host's, else the default. */
  of(query: { site?: unknown }, host: string | undefined): SiteName;
  /** The site of a request whose `?site=` may be invalid, for pages that show a failure. */
  ofUnchecked(url: string, host: string | undefined): SiteName;
  /** The public base URL, without a slash at its end. */
  base(site: SiteName): string;
  readonly operator: Operator;
}

/** Makes the sites from the configuration; nothing that a caller sends becomes part of a URL. */
export function createSites(config: SitesConfig): Sites {
  const bases: Record<SiteName, string> = {
    io: config.PUBLIC_URL_IO.replace(/\/+$/, ''),
    org: config.PUBLIC_URL_ORG.replace(/\/+$/, ''),
  };
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
  const ofHost = (host: string | undefined): SiteName =>
    (host === undefined ? undefined : byHost.get(bareHost(host))) ?? config.DEFAULT_SITE;
  return {
    base: (site) => bases[site],
    operator: operatorOf(config),
    of({ site }, host) {
      if (site !== undefined) return named(site);
      return ofHost(host);
    },
    ofUnchecked(url, host) {
      const [first, ...more] = new URLSearchParams(url.split('?', 2)[1] ?? '').getAll('site');
      return more.length === 0 && (first === 'io' || first === 'org') ? first : ofHost(host);
    },
  };
}

type SitesConfig = Parameters<typeof operatorOf>[0] & Pick<GatewayConfig, 'DEFAULT_SITE'>;

/** The site as the services name it. */
export function toWireSite(site: SiteName): Site {
  return site === 'io' ? Site.IO : Site.ORG;
}

/** The site as callers name it. */
export function fromWireSite(site: Site): SiteName {
  switch (site) {
    case Site.IO:
      return 'io';
    case Site.ORG:
      return 'org';
    case Site.UNSPECIFIED:
    case Site.UNRECOGNIZED:
      throw new KnowledgeError('internal_error', 'A service answered without a site.');
  }
}

function named(site: unknown): SiteName {
  if (site === 'io' || site === 'org') return site;
  throw new KnowledgeError('validation_error', 'site: must be io or org, given once.');
}

function hostName(base: string): string {
  return new URL(base).hostname.toLowerCase();
}

function bareHost(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
