import type { Logger } from '@knowledge/runtime';
import { hintOf, isSlug } from '@knowledge/runtime/product';
import { rejectInCallersTerms } from '../http/error-handler.js';
import {
  inBrief,
  nextPage,
  presentArticle,
  presentEntry,
  presentHighlight,
  presentObject,
  toWireKind,
} from '../present/article.js';
import { articleMarkdown, objectMarkdown } from '../present/markdown.js';
import { presentFit } from '../present/search.js';
import { briefArticleFields } from '../protocol/articles.js';
import { briefHighlightFields } from '../protocol/highlights.js';
import { linkHeaderOfText } from '../protocol/links.js';
import { protocolVersion } from '../protocol/service-words.js';
import { type CallContext, callOptions } from '../upstream/calls.js';
import type { Clients } from '../upstream/clients.js';
import { ChangeStream } from '../upstream/content/change-stream.js';
import {
  createContentReader,
  dependenciesOf,
  dependenciesOfArticle,
  dependency,
  throwNotPublished,
} from '../upstream/content/content-reader.js';
import { type CacheableResponse, type CacheReference, ResponseCache } from '../upstream/content/response-cache.js';
import { type SiteName, type Sites, toWireSite } from '../upstream/sites.js';
import {
  type ContentForm,
  type ContentResponse,
  jsonResponse,
  orElsewhere,
  orNotFound,
  requirePublished,
  textResponse,
} from './content-response.js';
import { createArticleParts } from './parts/parts.js';
import { type CatalogQuery, catalogResponse, createSearches, type SearchQuery } from './searches.js';

export interface IndexQuery {
  readonly site: SiteName;
  readonly cursor: string;
  readonly limit: number;
  readonly q: string;
  readonly tag: string;
  readonly updatedSince: Date | undefined;
  readonly brief?: boolean;
}

/** Reads published content as ready responses. A cached response is at most as old as the freshness window. */
export type Content = ReturnType<typeof createContent>;

export interface ContentParts {
  client: Clients['content'];
  searchClient: Clients['search'];
  sites: Sites;
  cacheBytes: number;
  /** Called for each search that is refused because too many run. */
  onSearchRefused: () => void;
  log: Logger;
}

type Answer = ContentResponse | Promise<ContentResponse>;

/** Searches have an eighth of the cache, so that endless different queries cannot push articles and lists out of it. */
const searchShare = 1 / 8;

/** Reads published content from the content service, and caches the responses. */
export function createContent({ client, searchClient, sites, cacheBytes, onSearchRefused, log }: ContentParts) {
  const changes = new ChangeStream({
    open: () => client.watchChanges({ requestId: 'gateway-changes' }),
    onChange(change) {
      const outdated = dependenciesOf(change);
      for (const each of caches) each.invalidate(outdated);
    },
    onLost() {
      for (const each of caches) each.clear();
    },
    log,
  });
  const cache = new ResponseCache(changes, cacheBytes * (1 - searchShare));
  const searchCache = new ResponseCache(changes, cacheBytes * searchShare);
  const caches = [cache, searchCache];
  const searches = createSearches({ client: searchClient, sites, cache: searchCache, onRefused: onSearchRefused });
  const reader = createContentReader(client);
  const { readArticle, readObject } = reader;
  const { outline, part } = createArticleParts({ cache, readArticle, sites });

  return {
    outline,
    part,
    /** Returns the article itself, from which a page is rendered. Throws not_found. */
    readArticle,
    readObject,
    /** Returns the response to GET /api/v1/content/{slug}. Throws not_found. */
    article(site: SiteName, slug: string, form: ContentForm, context: CallContext): Answer {
      if (!isSlug(slug)) return throwNotPublished('article', slug);
      const response = cache.get(`article:${form} ${site}/${slug}`, () =>
        orElsewhere({ site, slug }, readArticle, context, async () => {
          const article = await readArticle(site, slug, context);
          const shown = presentArticle(article, sites);
          const links = linkHeaderOfText(shown);
          const dependencies = dependenciesOfArticle(article, site, slug);
          return form === 'markdown'
            ? textResponse(articleMarkdown(article, sites), dependencies, links)
            : jsonResponse({ ok: true, site, article: shown }, dependencies, links);
        }),
      );
      return requirePublished(response, 'article', slug);
    },
    /** Returns the response to GET /api/v1/content. */
    index(query: IndexQuery, context: CallContext): Answer {
      const { site, cursor, limit, q, tag, updatedSince, brief = false } = query;
      // The free text `q` comes last and the lengths come first, so two different queries never get the same key.
      const key = `index:${site} ${fieldsOf(brief)} ${limit} ${updatedSince?.getTime() ?? ''} ${cursor.length} ${tag.length} ${cursor} ${tag} ${q}`;
      const fill = async (): Promise<CacheableResponse> => {
        const request = { site: toWireSite(site), pageSize: limit, pageToken: cursor, query: q, tag, updatedSince };
        const page = await client.listArticles(request, callOptions(context)).catch(rejectInCallersTerms);
        const entries = page.entries.map((entry, at) => {
          const shown = presentEntry(entry, sites);
          return { ...(brief ? inBrief(shown, briefArticleFields) : shown), ...presentFit(page.fits[at], brief) };
        });
        const since = updatedSince?.toISOString() ?? '';
        const parameters = { site, limit: String(limit), q, tag, updated_since: since, fields: fieldsOf(brief) };
        const next = nextPage(`${sites.base(site)}/api/v1/content`, parameters, page.nextPageToken);
        const head = { ok: true, api_version: protocolVersion, site, total: page.total ?? null };
        const hint =
          q === ''
            ? {}
            : { hint: hintOf(q, { ...page, total: page.total ?? entries.length }, { tag, updated_since: since }) };
        return jsonResponse(
          { ...head, ...hint, entries, ...next },
          q === '' ? [dependency.articles(site)] : [dependency.search],
        );
      };
      return requirePublished(q === '' ? cache.get(key, fill) : searches.get(key, context, fill), 'page');
    },
    curated(site: SiteName, context: CallContext, brief = false): Answer {
      const response = cache.get(`curated:${site} ${fieldsOf(brief)}`, async () => {
        const { highlights } = await client.listHighlights({ site: toWireSite(site) }, callOptions(context));
        const shown = highlights.map((highlight) => presentHighlight(highlight, sites));
        const entries = brief ? shown.map((each) => inBrief(each, briefHighlightFields)) : shown;
        const dependencies = [dependency.articles(site), dependency.highlights(site)];
        return jsonResponse({ ok: true, api_version: protocolVersion, site, entries }, dependencies);
      });
      return requirePublished(response, 'page');
    },
    catalog(query: CatalogQuery, context: CallContext): Answer {
      const { site, kind, cursor, limit, q, brief = false } = query;
      if (q !== '') return requirePublished(searches.catalog(query, context), 'page');
      const response = cache.get(`catalog:${site} ${fieldsOf(brief)} ${kind ?? ''} ${limit} ${cursor}`, async () => {
        const request = { site: toWireSite(site), kind: toWireKind(kind), pageSize: limit, pageToken: cursor };
        const page = await client.listObjects(request, callOptions(context)).catch(rejectInCallersTerms);
        return catalogResponse(query, page, sites);
      });
      return requirePublished(response, 'page');
    },
    /** Returns the response to GET /api/v1/search. Throws unavailable if too many searches run. */
    search: (query: SearchQuery, context: CallContext): Answer =>
      requirePublished(searches.search(query, context), 'page'),
    /** Returns the response to GET /api/v1/objects/{id}. Throws not_found. */
    object(sent: string, form: ContentForm, context: CallContext): Answer {
      // An overlong id is looked up too, so that response times do not show which ids exist (gateway/PROTOCOL.md#objects).
      const id = sent.length > maxIdLength ? malformedId : sent;
      const response = cache.get(`object:${form} ${id}`, () =>
        orNotFound([dependency.object(id)], async () => {
          const object = await readObject(id, context);
          const shown = presentObject(object, sites);
          const links = linkHeaderOfText(shown);
          const dependencies = [dependency.object(id)];
          return form === 'markdown'
            ? textResponse(objectMarkdown(object, sites), dependencies, links)
            : jsonResponse({ ok: true, object: shown }, dependencies, links);
        }),
      );
      return requirePublished(response, 'object');
    },
    /** Returns the referenced response if it is still cached and up to date. */
    proven(reference: CacheReference) {
      const response = cache.proven(reference);
      return response?.body === undefined ? undefined : (response as ContentResponse);
    },
    /** Figures for health and metrics. `provenUntil` is the time (`performance.now()`) until which no change is missing. */
    state: () => ({
      following: changes.connected,
      hits: cache.hits + searchCache.hits,
      misses: cache.misses + searchCache.misses,
      provenUntil: changes.provenUntil,
    }),
    close() {
      changes.close();
      reader.close();
    },
  };
}

// The parameter `fields` in the URL of the next page. The default is left out.
function fieldsOf(brief: boolean): string {
  return brief ? 'brief' : '';
}

const maxIdLength = 64;
const malformedId = 'malformed';
