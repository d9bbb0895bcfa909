import { refuse } from '@knowledge/runtime';
import { type SiteName, type Sites, siteNames } from '../upstream/sites.js';

/** An article or object, as its `api_url` or `human_url` names it. */
export interface TextAddress {
  /** Undefined if the address does not say it. */
  readonly site: SiteName | undefined;
  readonly slug: string;
  readonly objectId: string;
}

/**
 * Reads the address of a text (gateway/PROTOCOL.md#inquiries).
 *
 * @throws KnowledgeError `validation_error` for any other address.
 */
export function readTextAddress(address: string, sites: Sites): TextAddress {
  const from = siteNames.filter((site) => address.startsWith(`${sites.base(site)}/`));
  const path = from[0] === undefined ? address : address.slice(sites.base(from[0]).length);
  const [target = '', ...search] = path.replace(/#.*$/s, '').split('?');
  const pathname = target.replace(/\/$/, '');
  const slug = articlePath.exec(pathname)?.[1] ?? '';
  const objectId = objectPath.exec(pathname)?.[1]?.toLowerCase() ?? '';
  const named = new URLSearchParams(search.join('?')).get('site');
  const isSite = named === null || named === 'io' || named === 'org';
  if (!isSite || slug === objectId) notOurs();
  // Both sites can have one base, which then says nothing. An object is on one site, whatever the address says.
  const byBase = from.length === 1 ? from[0] : undefined;
  return { site: objectId === '' ? (named ?? byBase) : undefined, slug, objectId };
}

const articlePath = /^\/(?:articles|api\/v1\/content)\/([a-z0-9-]+)$/;
const objectPath = /^\/(?:api\/v1\/)?objects\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

function notOurs(): never {
  refuse('about: must be the api_url or human_url of an article or object of this service');
}
