import { type IndexFeedDependencies, startIndexFeed } from './index/index-feed.js';
import { createTextIndex } from './index/text-index.js';
import { createSearch, type Search } from './search.js';

/** A search whose index follows the published texts. */
export interface OpenSearch extends Search {
  /** Resolves when all published texts are in the index. */
  readonly filled: Promise<void>;
  close(): Promise<void>;
}

interface OpenSearchOptions extends Omit<IndexFeedDependencies, 'index'> {
  /** The memory that the index may need before it leaves out bodies. */
  readonly indexMegabytes: number;
}

/** Opens the search over all published texts, with an index in memory that it begins to fill. */
export function openSearch({ indexMegabytes, ...parts }: OpenSearchOptions): OpenSearch {
  const index = createTextIndex(indexMegabytes * 1_000_000);
  const feed = startIndexFeed({ ...parts, index });
  const search = createSearch({ ...parts, index, feed });
  return { ...search, filled: feed.filled, close: feed.close };
}
