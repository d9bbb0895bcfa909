import type { Telemetry } from '@knowledge/runtime/telemetry';
import { type IndexFeedDependencies, startIndexFeed } from './index/index-feed.js';
import { createTextIndex } from './index/text-index.js';
import { type ClusterOptions, connectCluster } from './opensearch/cluster.js';
import { openSearchEngine } from './opensearch/engine.js';
import { createSearch, type Search } from './search.js';

interface SearchOptions extends Omit<IndexFeedDependencies, 'engine'> {
  readonly telemetry: Telemetry;
  /** The memory that an index in memory should need at most. */
  readonly maxBytes: number;
  /** The cluster that searches; undefined to search in memory. */
  readonly cluster: ClusterOptions | undefined;
}

/** Opens the search over all published texts, with an index that it begins to fill. */
export function openSearch({ cluster, ...options }: SearchOptions) {
  const engine =
    cluster === undefined ? openTextIndex(options) : openSearchEngine(connectCluster(cluster), cluster.index);
  const feed = startIndexFeed({ ...options, engine });
  const search = createSearch({ ...options, index: feed });
  /** Resolves when an index in memory has all published texts, and a search has been made. Only searches wait for a cluster. */
  const filled = cluster === undefined ? feed.filled.then(() => prepareSynonyms(search)) : Promise.resolve();
  return { ...search, filled, close: feed.close };
}

function openTextIndex({ maxBytes, log, telemetry: { metrics } }: Omit<SearchOptions, 'cluster'>) {
  const warning = 'the search index needs more memory than SEARCH_INDEX_MEGABYTES';
  const index = createTextIndex(maxBytes, (size) => log.warn(size, warning));
  const help = 'Estimated memory of the search index of this process';
  metrics.read({ name: 'knowledge_search_index_bytes', help }, () => index.size.bytes);
  metrics.read({ name: 'knowledge_search_index_texts', help: 'Texts that search finds' }, () => index.size.texts);
  return index;
}

/** The first search prepares the synonyms for the languages of the texts, which can take a second. */
async function prepareSynonyms(search: Search): Promise<void> {
  const signal = AbortSignal.timeout(firstSearchMs);
  await search.find({ query: 'synonyms', filter: {}, size: 1 }, signal).catch(() => undefined);
}

const firstSearchMs = 5_000;
