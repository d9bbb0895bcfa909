import {
  type ListPage,
  type ListPageQuery,
  type ListPosition,
  type Site,
  sites,
  type Transition,
  toListPage,
} from '@knowledge/runtime';
import { afterPosition, listPage } from '@knowledge/runtime/mongodb';
import type { Filter } from 'mongodb';
import { type ChangeCollections, countsId } from '../changes/store.js';
import {
  type ArticleCollections,
  type ArticleDocument,
  type ArticleRevisionDocument,
  articleId,
  entryProjection,
  type RecordDocument,
  recordProjection,
  toArticle,
  toEntry,
  toRecord,
  toRevision,
} from './documents.js';
import { type Article, type ArticleName, type ArticleRecord, type ArticleState, articleStates } from './domain.js';
import type { ArticleFilter } from './listing.js';
import type { RelatedCandidate } from './read.js';
import type { ArticleRevision } from './revisions.js';
import { indexes } from './schema.js';

/** The filter of the listing for editors. An undefined field matches all articles. */
interface RecordFilter {
  readonly site: Site | undefined;
  readonly state: ArticleState | undefined;
  /** Each of them is in the title or the slug, in any case. */
  readonly words: readonly string[];
  /** Empty for any. */
  readonly tag: string;
  /** Only these; undefined for all. */
  readonly names: readonly ArticleName[] | undefined;
}

/** A part of a list that no index sorts. */
export interface OffsetQuery {
  readonly size: number;
  readonly skip: number;
}

export type ArticleReads = ReturnType<typeof createArticleReads>;

/** Reads articles by name, in any state for editors. */
export function createArticleReads({ articles, revisions }: ArticleCollections) {
  return {
    /** Reads those of the named articles that are published, in one query. The keys are `site/slug`. */
    async published(names: readonly ArticleName[], signal: AbortSignal): Promise<ReadonlyMap<string, Article>> {
      const ids = [...new Set(names.map(articleId))];
      const found = await articles.find({ _id: { $in: ids }, state: 'published' }, { signal }).toArray();
      return new Map(found.map((each) => [each._id, toArticle(each)]));
    },

    /** Reads the newest published articles that have a tag. */
    async tagged(site: Site, tag: string, limit: number, signal: AbortSignal): Promise<RelatedCandidate[]> {
      const found = articles.find<CandidateDocument>(
        { site, state: 'published', tags: tag },
        {
          projection: { _id: 0, slug: 1, title: 1, tags: 1, publishedAt: 1 },
          sort: { publishedAt: -1, slug: 1 },
          hint: indexes.tagged,
          limit,
          signal,
        },
      );
      return (await found.toArray()).map(toCandidate);
    },

    /** Reads one article in any state. */
    async record(name: ArticleName, signal: AbortSignal) {
      const found = await articles.findOne({ _id: articleId(name) }, { signal });
      return found === null ? undefined : toArticle(found);
    },

    /** Lists the newest transitions of an article, oldest first. */
    async history(name: ArticleName, signal: AbortSignal): Promise<Transition[]> {
      const options = { sort: { revision: -1 }, limit: mostTransitions, hint: indexes.revisions, signal } as const;
      const found = revisions.find<Pick<ArticleRevisionDocument, 'transition'>>(
        { article: articleId(name) },
        { ...options, projection: { _id: 0, transition: 1 } },
      );
      return (await found.toArray()).map(({ transition }) => transition).reverse();
    },
    /** Reads one revision of an article. */
    async revision(name: ArticleName, revision: number, signal: AbortSignal) {
      const options = { hint: indexes.revisions, signal };
      const found = await revisions.findOne({ article: articleId(name), revision }, options);
      return found === null ? undefined : toRevision(found);
    },

    /** Reads the revisions of an article from `newest` down, at most `limit`. They come one by one, with their texts. */
    revisions: (
      name: ArticleName,
      newest: number,
      limit: number,
      signal: AbortSignal,
    ): AsyncIterable<ArticleRevision> =>
      revisions
        .find(
          { article: articleId(name), revision: { $lte: newest } },
          { sort: { revision: -1 }, hint: indexes.revisions, limit, batchSize: revisionsAtOnce, signal },
        )
        .map(toRevision),

    /** Lists scheduled articles whose time of publication has come, at most `limit`. */
    async due(now: Date, limit: number, signal: AbortSignal): Promise<ArticleName[]> {
      const filter = { site: { $in: [...sites] }, state: 'scheduled' as const, publishedAt: { $lte: now } };
      const options = { projection: { site: 1, slug: 1 }, limit, signal };
      return (await articles.find<ArticleName>(filter, options).toArray()).map(({ site, slug }) => ({ site, slug }));
    },

    /** The earliest time at which a scheduled article is due; undefined if none is scheduled. */
    async nextDue(signal: AbortSignal) {
      const filter = { site: { $in: [...sites] }, state: 'scheduled' as const };
      const options = { projection: { _id: 0, publishedAt: 1 }, sort: { publishedAt: 1 }, signal } as const;
      return (await articles.findOne(filter, options))?.publishedAt ?? undefined;
    },

    /** Lists articles in any state. The last changed one comes first. */
    async records(
      filter: RecordFilter,
      { size, after }: ListPageQuery,
      signal: AbortSignal,
    ): Promise<ListPage<ArticleRecord>> {
      const found = await articles
        .find<RecordDocument & Pick<ArticleDocument, '_id'>>(
          { $or: ranges(filter, after) },
          {
            projection: { ...recordProjection, _id: 1 },
            sort: lastChangedFirst,
            hint: filter.names === undefined ? indexes.records : '_id_',
            limit: size + 1,
            signal,
          },
        )
        .toArray();
      const page = toListPage(found, size, ({ updatedAt, _id }) => ({ at: updatedAt, id: _id }));
      return { items: page.items.map(toRecord), next: page.next };
    },

    /** Lists articles in any state by their titles. It looks at each article, and `next` says how many come before. */
    async recordsByTitle(
      filter: RecordFilter,
      { size, skip }: OffsetQuery,
      signal: AbortSignal,
    ): Promise<ListPage<ArticleRecord, number>> {
      const found = articles.find<RecordDocument>(
        { $or: ranges(filter, undefined) },
        { projection: recordProjection, sort: { title: 1, _id: 1 }, collation, skip, limit: size + 1, signal },
      );
      const page = toListPage(await found.toArray(), size, (_, count) => skip + count);
      return { items: page.items.map(toRecord), next: page.next };
    },
  };
}

/** The length of a history. An import every hour makes a revision every hour; each has its place in the list of revisions. */
const mostTransitions = 200;

/** How many revisions travel together. Comparing two of 200 kB takes some 20 ms, in which the process does nothing else. */
const revisionsAtOnce = 2;

type CandidateDocument = Pick<ArticleDocument, 'slug' | 'title' | 'tags' | 'publishedAt'>;

function toCandidate({ slug, title, tags, publishedAt }: CandidateDocument): RelatedCandidate {
  return { slug, title, tags, publishedAt: publishedAt ?? new Date(0) };
}

/** Titles in the order of a dictionary, whatever their case. */
const collation = { locale: 'en', strength: 2 };

const lastChangedFirst = { updatedAt: -1, _id: 1 } as const;

// Makes one index range for each site and state. The server merges the ranges, so it reads only one list page.
function ranges({ site, state, words, tag, names }: RecordFilter, after: ListPosition | undefined): object[] {
  const all = words.map((word) => {
    const found = { $regex: word.replace(/[^\p{L}\p{N}]/gu, '\\$&'), $options: 'i' };
    return { $or: [{ title: found }, { slug: found }] };
  });
  const narrowed = {
    ...(all.length > 0 && { $and: all }),
    ...(tag !== '' && { tags: tag }),
    ...(names !== undefined && { _id: { $in: names.map(articleId) } }),
  };
  const wantedSites = site === undefined ? sites : [site];
  const wantedStates = state === undefined ? articleStates : [state];
  return wantedSites.flatMap((eachSite) =>
    wantedStates.flatMap((eachState) => {
      const one = { site: eachSite, state: eachState, ...narrowed };
      const range = afterPosition<ArticleDocument>(one, lastChangedFirst, after);
      return range.$or ?? [range];
    }),
  );
}

/** The order of the index. */
const newestFirst = { publishedAt: -1, slug: 1 } as const;

/** Up to this number of articles, sorting them is faster. For more, reading them in index order is faster. */
const fewUpdated = 2000;

export type ArticleIndex = ReturnType<typeof createArticleIndex>;

/** The index of published articles. */
export function createArticleIndex({ articles, counts }: ArticleCollections & ChangeCollections) {
  const isFew = async ({ site, updatedSince }: ArticleFilter, signal: AbortSignal) => {
    if (updatedSince === undefined) return false;
    const filter: Filter<ArticleDocument> = { site, state: 'published', updatedAt: { $gte: updatedSince } };
    const count = await articles.countDocuments(filter, { limit: fewUpdated, hint: indexes.updated, signal });
    return count < fewUpdated;
  };

  return {
    /** Returns a list page, newest first. It ignores the search query of the filter. */
    async page(filter: ArticleFilter, query: ListPageQuery, signal: AbortSignal) {
      const list = { filter: publishedFilter(filter), order: newestFirst, toItem: toEntry };
      const hint = indexFor(filter, await isFew(filter, signal));
      return listPage(articles, list, query, { projection: entryProjection, hint, signal });
    },

    /** The number of published articles. It reads the stored count. */
    async total(site: Site, signal: AbortSignal) {
      const found = await counts.findOne({ _id: countsId }, { projection: { articles: 1 }, signal });
      return found?.articles?.[site] ?? 0;
    },
  };
}

/** Converts a filter to a MongoDB query for published articles. */
function publishedFilter({ site, tag, updatedSince }: ArticleFilter): Filter<ArticleDocument> {
  return {
    site,
    state: 'published',
    ...(tag === '' ? {} : { tags: tag }),
    ...(updatedSince === undefined ? {} : { updatedAt: { $gte: updatedSince } }),
  };
}

function indexFor({ tag }: ArticleFilter, few: boolean): string {
  if (few) return indexes.updated;
  return tag === '' ? indexes.listing : indexes.tagged;
}
