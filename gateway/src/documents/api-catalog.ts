import { serviceLinks } from '../protocol/links.js';
import type { SiteProfile } from './site-profile.js';

/** The API catalog (RFC 9727), with which a program that knows only the host finds the API. Its form is RFC 9264. */
export function apiCatalogDocument(service: SiteProfile): unknown {
  const links = serviceLinks(service).filter(({ rel }) => rel !== 'api-catalog');
  const described = links.map(({ rel, ...target }) => [rel, [target]]);
  return { linkset: [{ anchor: `${service.base}/api/v1/`, ...Object.fromEntries(described) }] };
}
