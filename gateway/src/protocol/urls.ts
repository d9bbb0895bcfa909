import type { SiteName } from '../upstream/sites.js';
import type { Operation } from './operation.js';

/** The URL of an operation at the site; parameters of its path stay `{name}`. */
export function urlOf(operation: Operation, { base, site }: { base: string; site: SiteName }): string {
  return `${base}${operation.path}${operation.query?.properties['site'] === undefined ? '' : `?site=${site}`}`;
}

/** The URL of something else that depends on the site. */
export function siteUrl(path: string, { base, site }: { base: string; site: SiteName }): string {
  return `${base}${path}?site=${site}`;
}
