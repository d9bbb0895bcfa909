import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { ListObjectsResponse } from '@knowledge/proto/knowledge/content/v1/content';
import type { SearchHit, SearchRequest, SearchResponse } from '@knowledge/proto/knowledge/content/v1/search';
import { hintOf } from '@knowledge/runtime/product';
import { rejectInCallersTerms } from '../http/error-handler.js';
import { inBrief, type KindName, nextPage, presentObjectEntry } from '../present/article.js';
import { presentFit, presentSearch, type SearchTerms } from '../present/search.js';
import { limits } from '../protocol/limits.js';
import { briefObjectFields } from '../protocol/objects.js';
import { protocolVersion } from '../protocol/service-words.js';
import { type CallContext, callOptions } from '../upstream/calls.js';
import type { Clients } from '../upstream/clients.js';
import { dependency } from '../upstream/content/content-reader.js';
import type { CacheableResponse, ResponseCache } from '../upstream/content/response-cache.js';
import { textKey } from '../upstream/content/search-counts.js';
import { createSearchLimit } from '../upstream/content/search-limit.js';
import { fromWireSite, type SiteName, type Sites, toWireSite } from '../upstream/sites.js';
import { jsonResponse } from './content-response.js';

export interface SearchQuery extends SearchTerms {
  readonly cursor: string;
}

/** A query of the catalog; a kind of undefined means all kinds. */
export interface CatalogQuery {
  readonly site: SiteName;
  readonly kind: KindName | undefined;
  readonly cursor: string;
  readonly limit: number;
  /** Empty for the whole catalog. */
  readonly q: string;
  readonly brief?: boolean;
}

type Answer = CacheableResponse | Promise<CacheableResponse>;

interface SearchesParts {
  readonly client: Clients['search'];
  readonly sites: Sites;
  readonly cache: ResponseCache;
  /** Called for each search that is refused because too many run. */
  readonly onRefused: () => void;
}

/** Searches in published content. Every search counts in one limit, and its response is cached until a text changes. */
export type Searches = ReturnType<typeof createSearches>;

export function createSearches({ client, sites, cache, onRefused }: SearchesParts) {
  const limit = createSearchLimit(onRefused);
  /** Returns the cached response of another search, or fills it in its turn. */
  const get = (key: string, { networks, deadline }: CallContext, fill: () => Promise<CacheableResponse>): Answer =>
    cache.get(key, () => limit.run(networks?.() ?? [], deadline, fill).catch(rejectInCallersTerms));
  const ask = (query: SearchQuery, context: CallContext) => client.search(toWireSearch(query), callOptions(context));
  return {
    get,
    /** Returns the response to GET /api/v1/search. */
    search: (query: SearchQuery, context: CallContext) =>
      // JSON keeps the parts apart, whatever characters a caller sends.
      get(`search:${JSON.stringify(query)}`, context, async () => {
        const found = await ask(query, context);
        const response = jsonResponse(presentSearch(found, query, sites), [dependency.search]);
        return { ...response, found: found.hits.flatMap(keyOfFitting) };
      }),
    /** Returns the response to GET /api/v1/objects/catalog with `q`. */
    catalog(listed: CatalogQuery, context: CallContext) {
      const { kind = 'object', brief: isBrief = false } = listed;
      // A search gives fewer hits at once than the catalog has entries on a page.
      const limit = Math.min(listed.limit, limits.searchSize.max);
      return get(`catalog:${JSON.stringify(listed)}`, context, async () => {
        const found = await ask({ ...anyText, ...listed, kind, limit, isBrief }, context);
        const entries = found.hits.flatMap(({ entry }) => (entry?.$case === 'object' ? [entry.value] : []));
        return catalogResponse(listed, { ...found, entries }, sites, found);
      });
    },
  };
}

/** A page of the catalog; `found` is what a search for `q` found. */
export function catalogResponse(
  query: CatalogQuery,
  { entries, total, nextPageToken }: ListObjectsResponse,
  sites: Sites,
  found?: SearchResponse,
) {
  const { site, kind = '', limit, q, brief = false } = query;
  const shown = entries.map((entry, at) => {
    const object = presentObjectEntry(entry, sites);
    return { ...(brief ? inBrief(object, briefObjectFields) : object), ...presentFit(found?.hits[at], brief) };
  });
  const parameters = { site, kind, limit: String(limit), q, fields: brief ? 'brief' : '' };
  const next = nextPage(`${sites.base(site)}/api/v1/objects/catalog`, parameters, nextPageToken);
  const hint = found && hintOf(q, found, { kind });
  const body = { ok: true, api_version: protocolVersion, site, total, hint, entries: shown, ...next };
  return jsonResponse(body, [found ? dependency.search : dependency.objects(site)]);
}

function keyOfFitting({ entry, weak }: SearchHit) {
  if (weak || entry === undefined) return [];
  const { value } = entry;
  return ['slug' in value ? textKey.article(fromWireSite(value.site), value.slug) : textKey.object(value.id)];
}

const anyText = { language: '', tag: '', author: '' };

function toWireSearch({
  site,
  q,
  kind,
  language,
  tag,
  author,
  limit,
  passages = 1,
  cursor,
}: SearchQuery): SearchRequest {
  return {
    site: site === 'all' ? Site.UNSPECIFIED : toWireSite(site),
    query: q,
    kind,
    // Content knows the first part of a language tag.
    language: language.toLowerCase().replace(/-.*$/, ''),
    tag,
    author,
    pageSize: limit,
    pageToken: cursor,
    passages,
  };
}
