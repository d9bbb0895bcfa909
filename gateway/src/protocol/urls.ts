import type { SiteName } from '../upstream/sites.js';
import type { Operation } from './operation.js';

/** Makes the URL of an operation at a site. Path parameters stay as `{name}`. */
export function urlOf(operation: Operation, { base, site }: { base: string; site: SiteName }): string {
  return `${base}${operation.path}${operation.query?.properties['site'] === undefined ? '' : `?site=${site}`}`;
}

/** Makes the URL of a path that is not an operation, with `?site=`. */
export function siteUrl(path: string, { base, site }: { base: string; site: SiteName }): string {
  return `${base}${path}?site=${site}`;
}
