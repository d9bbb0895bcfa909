import { orAbort } from '@knowledge/runtime';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import type { SearchEngine } from './engine.js';
import { type IndexFeedParts, startIndexFeed } from './index/index-feed.js';
import { createTextIndex } from './index/text-index.js';
import { type ClusterOptions, connectCluster } from './opensearch/cluster.js';
import { openSearchEngine } from './opensearch/engine.js';
import { type CurrentSynonyms, createSynonymRules } from './query/synonyms.js';
import { type Ranked, type RankQuery, rankTexts } from './rank-texts.js';
import { correct, isMisspelled } from './show/correct.js';
import { show } from './show/show.js';
import type { FoundText } from './texts/search-text.js';

interface SearchParts extends Omit<IndexFeedParts, 'engine'> {
  readonly synonyms: CurrentSynonyms;
  readonly telemetry: Telemetry;
  /** The memory that an index in memory should need at most. */
  readonly maxBytes: number;
  /** The cluster that searches; undefined to search in memory. */
  readonly cluster: ClusterOptions | undefined;
}

interface SearchQuery extends RankQuery {
  /** How many passages each hit may show. */
  readonly passages: number;
}

/** Full-text search of published articles and objects. In memory it contains every change acknowledged before a call. */
export type Search = ReturnType<typeof openSearch>;

/** Opens the search over all published texts, with an index that it begins to fill. */
export function openSearch({ cluster, texts, synonyms, ...parts }: SearchParts) {
  const engine =
    cluster === undefined ? openTextIndex(parts) : openSearchEngine(connectCluster(cluster), cluster.index);
  const feed = startIndexFeed({ ...parts, texts, engine });
  const currentRules = followRules(engine, synonyms);
  /** Resolves when an index in memory has all published texts and synonyms. Only searches wait for a cluster. */
  const filled: Promise<unknown> = cluster === undefined ? feed.filled.then(currentRules) : Promise.resolve();

  const rankSettled = async (query: RankQuery, signal: AbortSignal) => {
    await feed.settled(signal);
    return rankTexts(query, engine, await orAbort(currentRules(), signal), signal);
  };

  return {
    async search({ passages, ...query }: SearchQuery, signal: AbortSignal) {
      const { words, page, best, ...found } = await rankSettled(query, signal);
      // A correction is the same on every list page, however long it is.
      const others = words.some(isMisspelled) ? best : [];
      const keys = new Set([...page, ...others].map(({ key }) => key));
      const read = await texts.read([...keys], signal);
      const shown = read.map((text) => ({ text, ...show(text, engine.compounds, query.query, words, passages) }));
      const hits = withTexts(page, shown);
      return { ...found, hits, didYouMean: correct(query.query, words, withTexts(others, shown)) };
    },

    /** Finds the same texts for a listing. */
    async find(query: RankQuery, signal: AbortSignal) {
      const { page, ...found } = await rankSettled(query, signal);
      const keys = page.map(({ key }) => key);
      const read = await texts.readFound(keys, signal);
      return {
        ...found,
        hits: withTexts(
          page,
          read.map((text) => ({ text })),
        ),
      };
    },

    filled,
    close: feed.close,
  };
}

function openTextIndex({ maxBytes, log, telemetry: { metrics } }: Pick<SearchParts, 'maxBytes' | 'log' | 'telemetry'>) {
  const index = createTextIndex(maxBytes, (size) =>
    log.warn(size, 'the search index needs more memory than SEARCH_INDEX_MEGABYTES'),
  );
  metrics.read(
    { name: 'knowledge_search_index_bytes', help: 'Estimated memory of the search index of this process' },
    () => index.size.bytes,
  );
  metrics.read({ name: 'knowledge_search_index_texts', help: 'Texts that search finds' }, () => index.size.texts);
  return index;
}

/** Leaves out what was withdrawn since, so that nothing is shown that readers may not see. */
function withTexts<Shown extends { readonly text: FoundText }>(ranked: readonly Ranked[], texts: readonly Shown[]) {
  const shownOf = new Map(texts.map((shown) => [shown.text.key, shown]));
  return ranked.flatMap(({ key, score, weak }) => {
    const shown = shownOf.get(key);
    return shown === undefined ? [] : [{ ...shown, score, weak }];
  });
}

/** Prepares the synonyms again when they or the languages of the texts have changed. It can take a second. */
function followRules({ languages }: SearchEngine, synonyms: CurrentSynonyms) {
  let rules = createSynonymRules([], []);
  let madeOf: readonly unknown[] = [];
  return async () => {
    const groups = await synonyms.current();
    const parts = [groups, [...languages].join(' ')];
    if (parts.some((part, at) => part !== madeOf[at])) {
      rules = createSynonymRules(groups, [...languages]);
      madeOf = parts;
    }
    return rules;
  };
}
