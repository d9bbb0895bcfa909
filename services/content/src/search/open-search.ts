import { deferred, orAbort } from '@knowledge/runtime';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import type { ChangeLog } from '../domain/change-log.js';
import { type IndexFeed, type IndexFeedDependencies, startIndexFeed } from './index/index-feed.js';
import type { SearchIndex } from './index/ports.js';
import { createTextIndex, type TextIndex } from './index/text-index.js';
import { createKnownTexts } from './known-texts.js';
import type { Meanings } from './ranking/closeness.js';
import { createSearch, type Search } from './search.js';
import type { IndexStore } from './stored/index-store.js';
import { openStoredIndex, type StoredIndex, type StoredIndexDependencies } from './stored/stored-index.js';

/** A search whose index follows the published texts. */
export interface OpenSearch extends Search {
  /** Resolves when all published texts are in the index, and a search has been made. */
  readonly filled: Promise<void>;
  close(): Promise<void>;
}

/** Where the index is: in memory, in the database, or in memory as long as there is room. */
export const indexForms = ['auto', 'memory', 'database'] as const;
export type IndexForm = (typeof indexForms)[number];

export interface OpenSearchOptions extends Omit<IndexFeedDependencies, 'index' | 'onFull'> {
  readonly form: IndexForm;
  /** The memory that the index in memory may need. */
  readonly indexMegabytes: number;
  readonly store: IndexStore;
  readonly changes: Pick<ChangeLog, 'after'>;
  /** Whether this process made a change of the text. */
  readonly isOwn: StoredIndexDependencies['isOwn'];
  readonly telemetry?: Telemetry;
  /** Absent if search is by words alone. */
  readonly meanings?: Meanings | undefined;
}

/** Opens the search over all published texts, with an index that it begins to fill or to read. */
export function openSearch({ form, indexMegabytes, telemetry, meanings, ...parts }: OpenSearchOptions): OpenSearch {
  const filled = telemetry?.metrics.counter({
    name: 'knowledge_search_index_filled_total',
    help: 'Texts that this process has put into the index in the database at its first fill',
  });
  const onFilled = (texts: number): void => filled?.inc(texts);
  const maxBytes = indexMegabytes * 1_000_000;
  const index = openIndex({ form, maxBytes, onFilled, ...parts });
  if (telemetry !== undefined) measureIndex(index, telemetry);
  const knownTexts = createKnownTexts({ ...parts, maxBytes: maxBytes / 16 });
  const search = createSearch({ ...parts, index, knownTexts, meanings, partsBytes: maxBytes / 4 });
  const close = async (): Promise<void> => {
    knownTexts.close();
    await index.close();
  };
  return { ...search, filled: index.filled.then(() => prepareSynonyms(search)), close };
}

/** The first search prepares the synonyms for the languages of the texts, which can take a second. */
async function prepareSynonyms(search: Search): Promise<void> {
  const query = { query: 'synonyms', filter: { site: undefined, kind: undefined }, size: 1, after: undefined };
  await search.find(query, AbortSignal.timeout(firstSearchMs)).catch(() => undefined);
}

const firstSearchMs = 5_000;

interface OpenIndex extends SearchIndex {
  readonly filled: Promise<void>;
  /** The form that serves; undefined before the first. */
  readonly serving: { readonly bytes: number; readonly size: number; readonly isStored: boolean } | undefined;
  close(): Promise<void>;
}

type OpenIndexOptions = Omit<OpenSearchOptions, 'indexMegabytes' | 'telemetry' | 'meanings'> & {
  readonly maxBytes: number;
  /** Called with the number of texts that this process has put into the index in the database. */
  readonly onFilled: (texts: number) => void;
};

/** The share of the bound below which the texts fit into memory again, after a restart. */
const fitsAgain = 0.5;
const retryMs = 250;

function openIndex({ form, maxBytes, ...parts }: OpenIndexOptions): OpenIndex {
  const { store, changeStream, log } = parts;
  const stop = new AbortController();
  const filled = deferred();
  let memory: { readonly index: TextIndex; readonly feed: IndexFeed } | undefined;
  let stored: StoredIndex | undefined;
  let isStored = false;
  const chosen = deferred();

  const useMemory = (): void => {
    isStored = false;
    if (memory === undefined) {
      const index = createTextIndex(maxBytes);
      memory = { index, feed: startIndexFeed({ ...parts, index, onFull }) };
      void memory.feed.filled.then(filled.resolve);
    }
    chosen.resolve();
  };

  const onFull = (): void => {
    const megabytes = maxBytes / 1_000_000;
    if (form === 'memory') log.warn({ megabytes }, 'the search index in memory is full; it leaves out bodies of texts');
    else {
      log.info({ megabytes }, 'the texts outgrow the search index in memory; search moves to the stored index');
      useStored();
    }
  };

  const useStored = (): void => {
    stored ??= openStoredIndex({
      ...parts,
      knownBytes: maxBytes,
      onReady() {
        isStored = true;
        chosen.resolve();
        filled.resolve();
        // Searches that run over it keep it until they end.
        const { feed } = memory ?? {};
        memory = undefined;
        void feed?.close();
      },
      onLost() {
        if (form === 'auto') useMemory();
      },
    });
  };

  const choose = async (): Promise<void> => {
    if (form === 'memory') useMemory();
    else if (form === 'database') useStored();
    else {
      await orAbort(changeStream.syncWhenFollowing(), stop.signal);
      const state = await store.state(AbortSignal.any([stop.signal, AbortSignal.timeout(5000)]));
      if (state?.isFilled && state.textBytes >= maxBytes * fitsAgain) useStored();
      else useMemory();
    }
  };
  const start = (): void => {
    choose().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      log.warn({ err: error }, 'the state of the search index cannot be read yet');
      setTimeout(start, retryMs).unref();
    });
  };
  start();

  return {
    filled: filled.promise,
    get serving() {
      if (isStored && stored !== undefined) return { bytes: stored.bytes, size: stored.size, isStored };
      return memory && { bytes: memory.index.bytes, size: memory.index.size, isStored };
    },
    async settled(signal) {
      await orAbort(chosen.promise, signal);
      const serving = isStored ? stored : memory?.feed;
      return (serving ?? stored ?? never()).settled(signal);
    },
    async close() {
      stop.abort(new DOMException('The search is closed.', 'AbortError'));
      await Promise.all([memory?.feed.close(), stored?.close()]);
    },
  };
}

function never(): never {
  throw new Error('No form of the search index is open.');
}

function measureIndex(index: OpenIndex, { metrics }: Telemetry): void {
  const read = (name: `knowledge_${string}`, help: string, value: () => number | undefined): void =>
    metrics.read({ name, help }, value);
  read(
    'knowledge_search_index_bytes',
    'Estimated memory of the search index of this process',
    () => index.serving?.bytes,
  );
  read('knowledge_search_index_texts', 'Texts that search finds', () => index.serving?.size);
  read('knowledge_search_index_stored', '1 while the search index is in the database, 0 while it is in memory', () =>
    index.serving === undefined ? undefined : Number(index.serving.isStored),
  );
}
