import type { Operator } from '@knowledge/runtime';
import { type SiteName, type Sites, siteNames } from '../upstream/sites.js';

/** The facts about a site that its documents state. */
export interface SiteProfile {
  readonly site: SiteName;
  /** The base URL of the site, without a trailing slash. */
  readonly base: string;
  readonly bases: Readonly<Record<SiteName, string>>;
  readonly pagesPerAddress: number;
  readonly operator: Operator;
}

export function describeSite(
  site: SiteName,
  { sites, pagesPerAddress }: { sites: Sites; pagesPerAddress: number },
): SiteProfile {
  return {
    site,
    base: sites.base(site),
    bases: Object.fromEntries(siteNames.map((name) => [name, sites.base(name)])) as Record<SiteName, string>,
    pagesPerAddress,
    operator: sites.operator,
  };
}
