import type { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { KnowledgeError, pageToken, readIdPrefix, readPageQuery, readPageSize } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { requireSite } from '@knowledge/runtime/wire';
import { isUuid, tagIn } from '../domain/bounds.js';
import type { WatchDependencies } from '../domain/change-watch.js';
import { joinHighlights } from '../domain/highlights.js';
import { articleScope, checkArticleFilter, checkQuery } from '../domain/listing.js';
import type { ReadDependencies } from '../domain/read-articles.js';
import type { Search } from '../search/search.js';
import type { ArticleIndex } from '../store/article-index.js';
import type { ArticleReads } from '../store/article-reads.js';
import type { HighlightStore } from '../store/highlights.js';
import type { ObjectStore } from '../store/objects.js';
import { getArticles } from './get-articles.js';
import { hitToken, readHitPosition } from './hit-token.js';
import { watchChanges } from './watch-changes.js';
import { toWireEntry, toWireHighlights } from './wire-article.js';
import { optionalKind } from './wire-enums.js';
import { toWireObject, toWireObjectEntry } from './wire-object.js';

/** The stores and other dependencies of the handlers that serve readers. */
export interface ContentDependencies extends ReadDependencies, WatchDependencies {
  readonly index: ArticleIndex;
  readonly search: Search;
  readonly reads: ReadDependencies['reads'] & Pick<ArticleReads, 'publishedEntries'>;
  readonly highlights: HighlightStore;
  readonly objects: ObjectStore;
}

// Replaces a malformed id in the query, so that the response takes equally long (gateway/PROTOCOL.md#objects).
const nobody = '00000000-0000-0000-0000-000000000000';

export function contentHandlers(parts: ContentDependencies): Handlers<ContentServiceService> {
  const { index, search, reads, highlights, objects } = parts;
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

    getArticles: getArticles(parts),

    async listHighlights(request, { signal }) {
      const site = requireSite(request.site);
      const { choices, revision } = await highlights.read(site, signal);
      // The articles are read after the choices, so that articles which were archived meanwhile are left out.
      const slugs = choices.map(({ slug }) => slug);
      const published = await reads.publishedEntries(site, slugs, signal);
      return { highlights: toWireHighlights(joinHighlights(choices, published)), revision };
    },

    async listObjects(request, { signal }) {
      const idPrefix = readIdPrefix(request.idPrefix);
      const filter = { site: requireSite(request.site), kind: optionalKind(request.kind), idPrefix };
      const { query: words = '' } = request;
      if (words !== '') {
        if (idPrefix !== undefined)
          throw new KnowledgeError('validation_error', 'query and id_prefix cannot be combined.');
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

    async getObject({ id }, { signal }) {
      const object = await objects.published(isUuid(id) ? id : nobody, signal);
      if (object === undefined) throw new KnowledgeError('not_found', 'There is no published object of this id.');
      return { object: toWireObject(object) };
    },

    watchChanges: watchChanges(parts),
  };
}
