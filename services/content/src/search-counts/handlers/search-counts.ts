import {
  type SearchCountServiceService,
  SearchEvent as WireEvent,
  type CountedSearch as WireSearch,
} from '@knowledge/proto/knowledge/content/v1/search_counts';
import { KnowledgeError } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { enumWords } from '@knowledge/runtime/wire';
import { countedWords } from '../domain/counted-words.js';
import { type CountedSearch, searchGaps } from '../domain/search-gaps.js';
import type { SearchCountStore } from '../store/search-counts.js';

const { optional: optionalEvent } = enumWords('event', WireEvent);
const most = { searches: 500, query: 500, reader: 100, gaps: 200 } as const;
const defaultGaps = 50;

export function searchCountHandlers(store: SearchCountStore): Handlers<SearchCountServiceService> {
  return {
    async countSearches({ searches }, { now, signal }) {
      if (searches.length > most.searches) {
        throw new KnowledgeError('validation_error', `searches must be at most ${most.searches}.`);
      }
      await store.count(searches.flatMap(toSearch), now, signal);
      return {};
    },

    async listSearchGaps({ limit }, { now, signal }) {
      if (limit < 0 || limit > most.gaps) {
        throw new KnowledgeError('validation_error', `limit must be 0 to ${most.gaps}.`);
      }
      return { gaps: searchGaps(await store.shown(now, signal), limit || defaultGaps) };
    },
  };
}

/** Reads a search; leaves out one that cannot be counted. */
function toSearch({ query, reader, event: wireEvent }: WireSearch): CountedSearch[] {
  const event = wireEvent === WireEvent.UNRECOGNIZED ? undefined : optionalEvent(wireEvent);
  if (event === undefined || query.length > 2 * most.query) return [];
  if (reader === '' || reader.length > most.reader) return [];
  const words = countedWords(query);
  return words === undefined ? [] : [{ words, reader, event }];
}
