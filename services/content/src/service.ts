import { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService, PublicationServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { SearchServiceService, SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { SearchCountServiceService } from '@knowledge/proto/knowledge/content/v1/search_counts';
import { ConfigError, type Environment } from '@knowledge/runtime';
import { implement } from '@knowledge/runtime/grpc';
import { defineService, type ServiceBase, type ServiceParts } from '@knowledge/runtime/service';
import { access } from './access.js';
import { articleDraftHandlers, draftNotices } from './article-drafts/handlers.js';
import { articleDraftsSchema, draftsOf } from './article-drafts/schema.js';
import { createArticleDraftStore, followArticles } from './article-drafts/store.js';
import { articleHandlers } from './articles/handlers.js';
import { articleReader } from './articles/handlers-read.js';
import { createTagLists } from './articles/read.js';
import { createArticleIndex, createArticleReads } from './articles/store-reads.js';
import { createArticleWrites } from './articles/store-writes.js';
import { watchChanges, watchEditorial } from './changes/handlers.js';
import { limitReads } from './changes/log.js';
import { changesOf, createChangeLog, createWriter } from './changes/store.js';
import { ChangeStream, checkChangeStream, measureChangeStream } from './changes/stream.js';
import { watchedChanges } from './changes/watch.js';
import { collectionsOf, textsSchema } from './collections.js';
import { type ContentConfig, clusterOf, readContentConfig } from './config.js';
import { glossHandlers } from './glosses/handlers.js';
import { createGlossStore } from './glosses/store.js';
import { highlightHandlers } from './highlights/handlers.js';
import { createHighlightStore } from './highlights/store.js';
import { listHandlers } from './lists/handlers.js';
import { objectHandlers, publicationHandlers } from './objects/handlers.js';
import { createObjectStore } from './objects/store.js';
import { scheduledArticles, scheduledDrafts, startPublicationClock } from './publication/worker.js';
import { readCountHandlers } from './read-counts/handlers.js';
import { createReadCountStore, readCountCollection, readCountsSchema } from './read-counts/store.js';
import { searchHandlers } from './search/handlers.js';
import { deleteIndex } from './search/opensearch/engine.js';
import { holdSynonyms } from './search/query/synonyms.js';
import { openSearch } from './search/search.js';
import { createSearchTexts } from './search/store.js';
import { searchCountHandlers } from './search-counts/handlers.js';
import { createSearchCountStore, searchCountCollections, searchCountsSchema } from './search-counts/store.js';
import { synonymHandlers } from './synonyms/handlers.js';
import { createSynonymStore, synonymCollection, synonymSchema } from './synonyms/store.js';

export const { start, migrate } = defineService({
  name: 'content',
  readConfig: readContentConfig,
  schema: [...textsSchema, ...articleDraftsSchema, ...synonymSchema, ...searchCountsSchema, ...readCountsSchema],
  // Queries name the indexes that the schema creates, so calls must wait for the schema.
  needsSchema: true,
  access,
  // A body has up to 200 kB, and the request has other fields.
  maxRequestBytes: 1024 * 1024,
  compose,
});

/** Deletes the search index in the cluster. The replicas of content fill it again. */
export async function refillSearch(env: Environment): Promise<void> {
  const cluster = clusterOf(readContentConfig(env));
  if (cluster === undefined) throw new ConfigError(['SEARCH_URL is missing; expected the URLs of a cluster']);
  await deleteIndex(cluster);
}

function compose({ config, clock, log, telemetry, mongo, streamsMongo }: ServiceBase<ContentConfig>): ServiceParts {
  const collections = collectionsOf(mongo.db);
  const draftDocuments = draftsOf(mongo.db);
  const counts = {
    ...searchCountHandlers(createSearchCountStore(searchCountCollections(mongo.db))),
    ...readCountHandlers(createReadCountStore(readCountCollection(mongo.db))),
  };
  const writer = createWriter(mongo.client, collections, [followArticles(draftDocuments)]);
  const stored = createChangeLog(changesOf(streamsMongo.db));
  const changeStream = new ChangeStream({ changes: stored, log });
  const changes = limitReads(stored);
  const reads = createArticleReads(collections);
  const writes = createArticleWrites(writer, collections);
  const drafts = createArticleDraftStore(writer, draftDocuments, collections, writes);
  const objects = createObjectStore(writer, collections);
  const highlightCalls = highlightHandlers(createHighlightStore(writer, collections));
  const objectCalls = objectHandlers(objects);
  const parts = {
    reads,
    writes,
    draftNotices: draftNotices(drafts),
    missedDrafts: drafts.missed,
    changes,
    changeStream,
    tagLists: createTagLists(reads, changeStream),
  };
  const synonymStore = createSynonymStore(writer, synonymCollection(mongo.db), collections);
  const synonyms = holdSynonyms({ list: synonymStore.listSynonyms, changeStream, log });
  const search = openSearch({
    texts: createSearchTexts(collections),
    synonyms,
    changes,
    changeStream,
    log,
    telemetry,
    cluster: clusterOf(config),
    maxBytes: config.SEARCH_INDEX_MEGABYTES * 1_000_000,
  });
  measureChangeStream(changeStream, telemetry);
  const publications = [scheduledArticles(reads, writes), scheduledDrafts(drafts)].map((texts) =>
    startPublicationClock(texts, changeStream, clock, log),
  );
  return {
    implementations: [
      implement(ContentServiceService, {
        ...listHandlers({ index: createArticleIndex(collections), objects, search }),
        ...articleReader(parts),
        ...highlightCalls,
        ...objectCalls,
        watchChanges: watchChanges(parts),
      }),
      implement(EditorialServiceService, {
        ...articleHandlers(parts),
        ...highlightCalls,
        ...objectCalls,
        watchEditorial: watchEditorial(watchedChanges(changeStream, changes)),
      }),
      implement(ArticleDraftServiceService, articleDraftHandlers(drafts)),
      implement(PublicationServiceService, publicationHandlers(objects)),
      implement(SearchServiceService, searchHandlers(search)),
      implement(SearchWordsServiceService, {
        ...synonymHandlers(synonymStore),
        ...glossHandlers(createGlossStore(writer, collections)),
      }),
      implement(SearchCountServiceService, counts),
    ],
    health: [{ name: 'change log', check: () => checkChangeStream(changeStream) }],
    complete: () => Promise.all([changeStream.syncWhenFollowing(), search.filled]),
    closables: [changeStream, ...publications, search],
  };
}
