import { serviceLinks } from '../protocol/links.js';
import type { Service } from './service.js';

/** The API catalog (RFC 9727) as a linkset (RFC 9264): what describes the API, for programs that know only the host. */
export function apiCatalogDocument(service: Service): unknown {
  const links = serviceLinks(service).filter(({ rel }) => rel !== 'api-catalog');
  const described = links.map(({ rel, ...target }) => [rel, [target]]);
  return { linkset: [{ anchor: `${service.base}/api/v1/`, ...Object.fromEntries(described) }] };
}
