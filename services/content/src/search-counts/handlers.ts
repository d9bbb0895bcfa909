import {
  type SearchCountServiceService,
  SearchEvent as WireEvent,
  type ArticleReads as WireReads,
  type CountedSearch as WireSearch,
} from '@knowledge/proto/knowledge/content/v1/search_counts';
import { KnowledgeError } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { bounds } from '@knowledge/runtime/product';
import { enumWords, optionalSite, toWireSite } from '@knowledge/runtime/wire';
import { type CountedSearch, countedWords, searchGaps } from './domain.js';
import type { ArticleReads, SearchCountStore } from './store.js';

const { optional: optionalEvent } = enumWords('event', WireEvent);
const most = { searches: 500, query: 500, reader: 100, gaps: 200, batch: 64, reads: 1_000_000 } as const;
const defaultGaps = 50;

export function searchCountHandlers(store: SearchCountStore): Handlers<SearchCountServiceService> {
  return {
    async countSearches({ searches }, { now, signal }) {
      check(searches.length <= most.searches, `searches must be at most ${most.searches}.`);
      await store.count(searches.flatMap(toSearch), now, signal);
      return {};
    },

    async listSearchGaps({ limit }, { now, signal }) {
      return { gaps: searchGaps(await store.shown(now, signal), checkLimit(limit)) };
    },

    async countReads({ batch, reads }, { now, signal }) {
      check(reads.length <= most.searches, `reads must be at most ${most.searches}.`);
      check(batch !== '' && batch.length <= most.batch, `batch must have 1 to ${most.batch} characters.`);
      await store.addReads(batch, reads.flatMap(toReads), now, signal);
      return {};
    },

    async listMostRead({ site, limit }, { now, signal }) {
      const articles = await store.mostRead(optionalSite(site), checkLimit(limit), now, signal);
      return { articles: articles.map((each) => ({ ...each, site: toWireSite(each.site) })) };
    },
  };
}

function check(isRight: boolean, fault: string) {
  if (!isRight) throw new KnowledgeError('validation_error', fault);
}

function checkLimit(limit: number) {
  check(limit >= 0 && limit <= most.gaps, `limit must be 0 to ${most.gaps}.`);
  return limit || defaultGaps;
}

/** Reads a search; leaves out one that cannot be counted. */
function toSearch({ query, reader, event: wireEvent }: WireSearch): CountedSearch[] {
  const event = wireEvent === WireEvent.UNRECOGNIZED ? undefined : optionalEvent(wireEvent);
  const isTooLong = query.length > 2 * most.query || reader.length > most.reader;
  const words = isTooLong || reader === '' ? undefined : countedWords(query);
  return words === undefined || event === undefined ? [] : [{ words, reader, event }];
}

/** Reads the count of an article; leaves out one that cannot be counted. */
function toReads({ site: wireSite, slug, reads }: WireReads): ArticleReads[] {
  const site = optionalSite(wireSite);
  const isCountable = slug !== '' && slug.length <= bounds.slug.max && reads >= 1 && reads <= most.reads;
  return site === undefined || !isCountable ? [] : [{ site, slug, reads }];
}
