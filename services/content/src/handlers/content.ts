import type {
  ContentServiceService,
  GetArticlesItem,
  GetArticlesResult,
} from '@knowledge/proto/knowledge/content/v1/content';
import { isUuid, KnowledgeError, pageToken, readIdPrefix, readPageQuery, readPageSize } from '@knowledge/runtime';
import { type Handlers, toStatus } from '@knowledge/runtime/grpc';
import { requireSite } from '@knowledge/runtime/wire';
import type { ArticleName } from '../domain/article.js';
import { isSlug, tagIn } from '../domain/bounds.js';
import type { WatchDependencies } from '../domain/change-watch.js';
import { joinHighlights } from '../domain/highlights.js';
import { articleScope, checkArticleFilter, checkQuery } from '../domain/listing.js';
import { type ReadableArticle, type ReadDependencies, readArticles } from '../domain/read-articles.js';
import type { Search } from '../search/search.js';
import type { ArticleIndex, ArticleReads } from '../store/article-reads.js';
import type { HighlightStore } from '../store/highlights.js';
import type { ObjectStore } from '../store/objects.js';
import { hitToken, readHitPosition } from './search.js';
import { watchChanges } from './watch-changes.js';
import { optionalKind, toWireArticle, toWireEntry, toWireHighlights, toWireObject, toWireObjectEntry } from './wire.js';

/** The stores and other dependencies of the handlers that serve readers. */
interface ContentDependencies extends ReadDependencies, WatchDependencies {
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

    async getArticles({ items }, { signal, log }) {
      if (items.length > maxItems) throw new KnowledgeError('validation_error', `items must be at most ${maxItems}.`);
      const names = items.map(readItem);
      const valid = names.filter((name): name is ArticleName => !(name instanceof KnowledgeError));
      try {
        return { results: toResults(items, names, await readArticles(parts, valid, signal)) };
      } catch (error) {
        log.warn({ requests: items.map(({ context }) => context?.requestId) }, 'a batch of articles could not be read');
        throw error;
      }
    },

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

const maxItems = 256;
// A response must stay below the 4 MiB limit of gRPC. An article with its related ones has up to 210 kB.
const maxAnswerBytes = 3_500_000;
const overheadBytes = 4000;

function readItem({ site, slug }: GetArticlesItem): ArticleName | KnowledgeError {
  if (!isSlug(slug)) return notFound();
  try {
    return { site: requireSite(site), slug };
  } catch (error) {
    return KnowledgeError.from(error);
  }
}

function toResults(
  items: readonly GetArticlesItem[],
  names: readonly (ArticleName | KnowledgeError)[],
  found: ReadonlyMap<string, ReadableArticle>,
): GetArticlesResult[] {
  let bytes = 0;
  return names.map((name, index) => {
    const requestId = items[index]?.context?.requestId ?? '';
    if (name instanceof KnowledgeError) return failed(name, requestId);
    const article = found.get(`${name.site}/${name.slug}`);
    if (article === undefined) return failed(notFound(), requestId);
    bytes += Buffer.byteLength(article.article.body) + overheadBytes;
    if (bytes > maxAnswerBytes) return failed(batchFull(), requestId);
    return { outcome: { $case: 'article', value: toWireArticle(article) } };
  });
}

function failed(error: KnowledgeError, requestId: string): GetArticlesResult {
  return { outcome: { $case: 'error', value: toStatus(error, requestId) } };
}

function notFound() {
  return new KnowledgeError('not_found', 'There is no published article of this name.');
}

// The first articles of a batch always fit. So a caller that requests the others again always gets further.
function batchFull() {
  return new KnowledgeError('unavailable', 'The batch has no room for this article; ask for it again.', {
    metadata: { batch: 'full' },
  });
}
