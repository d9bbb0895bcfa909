import type { Operator } from '@knowledge/runtime';
import { type SiteName, type Sites, siteNames } from '../upstream/sites.js';

/** The service as one site shows it. */
export interface Service {
  readonly site: SiteName;
  /** The base URL of the site, without a slash at its end. */
  readonly base: string;
  readonly bases: Readonly<Record<SiteName, string>>;
  readonly pagesPerAddress: number;
  readonly operator: Operator;
}

/** Describes the service for a site. */
export function describeService(
  site: SiteName,
  { sites, pagesPerAddress }: { sites: Sites; pagesPerAddress: number },
): Service {
  return {
    site,
    base: sites.base(site),
    bases: Object.fromEntries(siteNames.map((name) => [name, sites.base(name)])) as Record<SiteName, string>,
    pagesPerAddress,
    operator: sites.operator,
  };
}
