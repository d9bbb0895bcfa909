import type {
  SearchCountServiceService,
  ArticleReads as WireReads,
} from '@knowledge/proto/knowledge/content/v1/search_counts';
import type { Handlers } from '@knowledge/runtime/grpc';
import { bounds } from '@knowledge/runtime/product';
import { optionalSite, toWireSite } from '@knowledge/runtime/wire';
import { check, checkLimit } from '../base/bounds.js';
import type { CountedReads, ReadCountStore } from './store.js';

const most = { articles: 500, batch: 64, reads: 1_000_000 } as const;

export function readCountHandlers(
  store: ReadCountStore,
): Pick<Handlers<SearchCountServiceService>, 'countReads' | 'listMostRead'> {
  return {
    async countReads({ batch, reads }, { now, signal }) {
      check(reads.length <= most.articles, `reads must be at most ${most.articles}.`);
      check(batch !== '' && batch.length <= most.batch, `batch must have 1 to ${most.batch} characters.`);
      await store.add(batch, reads.flatMap(toReads), now, signal);
      return {};
    },

    async listMostRead({ site, limit }, { now, signal }) {
      const articles = await store.mostRead(optionalSite(site), checkLimit(limit), now, signal);
      return { articles: articles.map((each) => ({ ...each, site: toWireSite(each.site) })) };
    },
  };
}

/** Reads the count of an article; leaves out one that cannot be counted. */
function toReads({ site: wireSite, slug, reads }: WireReads): CountedReads[] {
  const site = optionalSite(wireSite);
  const isCountable = slug !== '' && slug.length <= bounds.slug.max && reads >= 1 && reads <= most.reads;
  return site === undefined || !isCountable ? [] : [{ site, slug, reads }];
}
