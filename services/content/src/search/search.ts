import type { Telemetry } from '@knowledge/runtime/telemetry';
import type { SearchEngine } from './engine.js';
import { type IndexFeed, type IndexFeedDependencies, startIndexFeed } from './index/index-feed.js';
import { createTextIndex } from './index/text-index.js';
import { type ClusterOptions, connectCluster } from './opensearch/cluster.js';
import { openSearchEngine } from './opensearch/engine.js';
import { type CurrentSynonyms, createSynonymRules } from './query/synonyms.js';
import { type Ranked, type RankQuery, rankTexts } from './rank-texts.js';
import { correct, isMisspelled } from './show/correct.js';
import { show } from './show/show.js';
import type { FoundText } from './texts/search-text.js';

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
  const search = createSearch(feed, options);
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
async function prepareSynonyms(search: Search) {
  const signal = AbortSignal.timeout(firstSearchMs);
  await search.find({ query: 'synonyms', filter: {}, size: 1 }, signal).catch(() => undefined);
}

const firstSearchMs = 5_000;

interface SearchQuery extends RankQuery {
  /** How many passages each hit may show. */
  readonly passages: number;
}

/** Full-text search of published articles and objects. It contains every change that was acknowledged before a call. */
export type Search = ReturnType<typeof createSearch>;

function createSearch(feed: IndexFeed, { texts, synonyms }: Omit<SearchOptions, 'cluster'>) {
  const rulesOf = currentRules(synonyms);

  const rankSettled = async (query: RankQuery, signal: AbortSignal) => {
    const engine = await feed.settled(signal);
    await synonyms.settled();
    return { engine, ...(await rankTexts(query, engine, rulesOf(engine), signal)) };
  };

  return {
    async search({ passages, ...query }: SearchQuery, signal: AbortSignal) {
      const { engine, words, page, best, ...found } = await rankSettled(query, signal);
      // A misspelled word may stand only in hits of other list pages.
      const others = words.some(isMisspelled) ? best : [];
      const keys = new Set([...page, ...others].map(({ key }) => key));
      const read = await texts.read([...keys], signal);
      const showAll = (ranked: readonly Ranked[]) =>
        withTexts(ranked, read).map((hit) => ({
          ...hit,
          ...show(hit.text, engine.compounds, query.query, words, passages),
        }));
      const hits = showAll(page);
      return { ...found, hits, didYouMean: correct(query.query, words, [...hits, ...showAll(others)]) };
    },

    /** Finds the same texts for a listing. */
    async find(query: RankQuery, signal: AbortSignal) {
      const { page, ...found } = await rankSettled(query, signal);
      const keys = page.map(({ key }) => key);
      return { ...found, hits: withTexts(page, await texts.readFound(keys, signal)) };
    },
  };
}

/** Leaves out what was withdrawn since, so that nothing is shown that readers may not see. */
function withTexts<Text extends FoundText>(ranked: readonly Ranked[], texts: readonly Text[]) {
  const textOf = new Map(texts.map((text) => [text.key, text]));
  return ranked.flatMap(({ key, score, weak }) => {
    const text = textOf.get(key);
    return text === undefined ? [] : [{ text, score, weak }];
  });
}

/** Prepares the synonyms again when they or the languages of the texts have changed. */
function currentRules(synonyms: CurrentSynonyms) {
  let rules = createSynonymRules([], []);
  let madeOf: readonly unknown[] = [];
  return ({ compounds, languages }: SearchEngine) => {
    const groups = synonyms.current();
    const parts = [groups, [...languages].sort().join(' '), compounds];
    if (parts.some((part, at) => part !== madeOf[at])) {
      rules = createSynonymRules(groups, [...languages]);
      for (const { words } of groups) compounds.learn(words.join('\n'));
      madeOf = parts;
    }
    return rules;
  };
}
