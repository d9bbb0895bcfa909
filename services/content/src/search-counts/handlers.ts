import {
  type SearchCountServiceService,
  SearchEvent as WireEvent,
  type CountedSearch as WireSearch,
} from '@knowledge/proto/knowledge/content/v1/search_counts';
import type { Handlers } from '@knowledge/runtime/grpc';
import { enumWords } from '@knowledge/runtime/wire';
import { check, checkLimit } from '../base/bounds.js';
import { type CountedSearch, countedWords, searchGaps } from './domain.js';
import type { SearchCountStore } from './store.js';

const { optional: optionalEvent } = enumWords('event', WireEvent);
const most = { searches: 500, query: 500, reader: 100 } as const;

export function searchCountHandlers(
  store: SearchCountStore,
): Pick<Handlers<SearchCountServiceService>, 'countSearches' | 'listSearchGaps'> {
  return {
    async countSearches({ searches }, { now, signal }) {
      check(searches.length <= most.searches, `searches must be at most ${most.searches}.`);
      await store.count(searches.flatMap(toSearch), now, signal);
      return {};
    },

    async listSearchGaps({ limit }, { now, signal }) {
      return { gaps: searchGaps(await store.shown(now, signal), checkLimit(limit)) };
    },
  };
}

/** Reads a search; leaves out one that cannot be counted. */
function toSearch({ query, reader, event: wireEvent }: WireSearch): CountedSearch[] {
  const event = wireEvent === WireEvent.UNRECOGNIZED ? undefined : optionalEvent(wireEvent);
  const isTooLong = query.length > 2 * most.query || reader.length > most.reader;
  const words = isTooLong || reader === '' ? undefined : countedWords(query);
  return words === undefined || event === undefined ? [] : [{ words, reader, event }];
}
