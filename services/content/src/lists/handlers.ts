import type { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { pageToken, readIdPrefix, readPageQuery, readPageSize, refuse } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { requireSite } from '@knowledge/runtime/wire';
import { articleScope, checkArticleFilter, checkQuery } from '../articles/listing.js';
import type { ArticleIndex } from '../articles/store-reads.js';
import { toWireEntry } from '../articles/wire.js';
import { tagIn } from '../base/bounds.js';
import type { ObjectStore } from '../objects/store.js';
import { optionalKind, toWireObjectEntry } from '../objects/wire.js';
import { hitToken, readHitPosition } from '../search/handlers.js';
import type { Search } from '../search/search.js';

interface ListParts {
  readonly index: ArticleIndex;
  readonly objects: ObjectStore;
  readonly search: Search;
}

/** The lists of texts that readers page through, or search. */
export function listHandlers({
  index,
  objects,
  search,
}: ListParts): Pick<Handlers<ContentServiceService>, 'listArticles' | 'listObjects'> {
  return {
    async listArticles(request, { signal }) {
      const { site, query, updatedSince } = request;
      const tag = tagIn(request.tag);
      const filter = { site: requireSite(site), query, tag, updatedSince };
      checkArticleFilter(filter);
      const scope = articleScope(filter);
      if (query !== '') {
        const hits = { size: readPageSize(request.pageSize), after: readHitPosition(request.pageToken, scope) };
        const found = await search.find({ query, filter: { ...filter, kind: 'article' }, ...hits }, signal);
        const articles = found.hits.flatMap(({ text, score, weak }) =>
          text.kind === 'article' ? [{ entry: toWireEntry(text.entry), fit: { score, weak } }] : [],
        );
        return {
          entries: articles.map(({ entry }) => entry),
          fits: articles.map(({ fit }) => fit),
          total: found.total,
          nextPageToken: hitToken(found.next, scope),
          noWords: found.hasNoWords,
          allWeak: found.areAllWeak,
        };
      }
      const isWhole = tag === '' && updatedSince === undefined;
      const [page, total] = await Promise.all([
        index.page(filter, readPageQuery(request, scope), signal),
        isWhole ? index.total(filter.site, signal) : undefined,
      ]);
      const entries = page.items.map(toWireEntry);
      const nextPageToken = pageToken(page.next, scope);
      return { entries, fits: [], total, nextPageToken, noWords: false, allWeak: false };
    },

    async listObjects(request, { signal }) {
      const idPrefix = readIdPrefix(request.idPrefix);
      const filter = { site: requireSite(request.site), kind: optionalKind(request.kind), idPrefix };
      const { query: words = '' } = request;
      if (words !== '') {
        if (idPrefix !== undefined) refuse('query and id_prefix cannot be combined');
        checkQuery(words);
        const scope = ['objects', filter.site, filter.kind ?? null, 'query', words];
        const hits = { size: readPageSize(request.pageSize), after: readHitPosition(request.pageToken, scope) };
        const { site, kind = 'object' } = filter;
        const found = await search.find({ query: words, filter: { site, kind }, ...hits }, signal);
        const entries = found.hits.flatMap(({ text }) =>
          text.kind === 'article' ? [] : [toWireObjectEntry(text.entry)],
        );
        return { entries, total: found.total, nextPageToken: hitToken(found.next, scope) };
      }
      const scope = ['objects', filter.site, filter.kind ?? null, ...(idPrefix === undefined ? [] : [idPrefix])];
      const query = readPageQuery(request, scope);
      const [page, total] = await Promise.all([objects.page(filter, query, signal), objects.total(filter, signal)]);
      return { entries: page.items.map(toWireObjectEntry), total, nextPageToken: pageToken(page.next, scope) };
    },
  };
}
