import type { Transition } from '@knowledge/runtime';
import { type Site, sites } from '@knowledge/runtime';
import type { Article, ArticleEntry, ArticleName, ArticleRecord, ArticleState } from '../domain/article.js';
import { articleStates } from '../domain/article.js';
import type { ListPage } from '../domain/listing.js';
import type { RelatedCandidate } from '../domain/related.js';
import {
  articleId,
  type EntryDocument,
  entryProjection,
  type RecordDocument,
  recordProjection,
  toArticle,
  toEntry,
  toRecord,
} from './article-documents.js';
import { toTransition } from './change-log.js';
import type { ArticleDocument, ArticleRevisionDocument, Collections } from './documents.js';
import { afterKey, cutPage } from './keyset.js';
import { indexes } from './schema.js';

/** The filter of the listing for editors; undefined means all. */
export interface RecordFilter {
  readonly site: Site | undefined;
  readonly state: ArticleState | undefined;
}

/** The sort key of that listing: the last change, then the id. */
export interface RecordKey {
  readonly at: Date;
  readonly name: string;
}

/** Reads of articles by name, and of those that editors see. */
export interface ArticleReads {
  /** Those of these articles that are published, by `site/slug`, in one query. */
  published(names: readonly ArticleName[], signal: AbortSignal): Promise<ReadonlyMap<string, Article>>;
  /** Those of these slugs that are published on a site, without bodies. */
  publishedEntries(
    site: Site,
    slugs: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ArticleEntry>>;
  /** The newest published articles with a tag. */
  tagged(site: Site, tag: string, limit: number, signal: AbortSignal): Promise<RelatedCandidate[]>;
  /** Scheduled articles whose time has come, at most `limit`. */
  due(now: Date, limit: number, signal: AbortSignal): Promise<ArticleName[]>;
  /** One article in any state. */
  record(name: ArticleName, signal: AbortSignal): Promise<Article | undefined>;
  /** Who did what to an article, oldest first. */
  history(name: ArticleName, signal: AbortSignal): Promise<Transition[]>;
  /** Articles in any state, last changed first. */
  records(
    filter: RecordFilter,
    after: RecordKey | undefined,
    size: number,
    signal: AbortSignal,
  ): Promise<ListPage<ArticleRecord, RecordKey>>;
}

/** Reads of these collections. */
export function createArticleReads({ articles, revisions }: Collections): ArticleReads {
  return {
    async published(names, signal) {
      const ids = [...new Set(names.map(articleId))];
      const found = await articles.find({ _id: { $in: ids }, state: 'published' }, { signal }).toArray();
      return new Map(found.map((each) => [each._id, toArticle(each)]));
    },

    async publishedEntries(site, slugs, signal) {
      const ids = slugs.map((slug) => articleId({ site, slug }));
      const options = { projection: entryProjection, signal };
      const found = await articles.find<EntryDocument>({ _id: { $in: ids }, state: 'published' }, options).toArray();
      return new Map(found.map((each) => [each.slug, toEntry(each)]));
    },

    async tagged(site, tag, limit, signal) {
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

    async record(name, signal) {
      const found = await articles.findOne({ _id: articleId(name) }, { signal });
      return found === null ? undefined : toArticle(found);
    },

    async history(name, signal) {
      const found = revisions.find<Pick<ArticleRevisionDocument, 'transition'>>(
        { article: articleId(name) },
        { projection: { _id: 0, transition: 1 }, sort: { revision: 1 }, hint: indexes.revisions, signal },
      );
      return (await found.toArray()).map(({ transition }) => toTransition(transition));
    },

    async due(now, limit, signal) {
      const filter = { site: { $in: [...sites] }, state: 'scheduled' as const, publishedAt: { $lte: now } };
      const options = { projection: { site: 1, slug: 1 }, limit, signal };
      return (await articles.find<ArticleName>(filter, options).toArray()).map(({ site, slug }) => ({ site, slug }));
    },

    async records(filter, after, size, signal) {
      const found = await articles
        .find<RecordDocument & Pick<ArticleDocument, '_id'>>(
          { $or: ranges(filter, after) },
          {
            projection: { ...recordProjection, _id: 1 },
            sort: { updatedAt: -1, _id: 1 },
            hint: indexes.records,
            limit: size + 1,
            signal,
          },
        )
        .toArray();
      const { entries, last } = cutPage(found, size);
      return { entries: entries.map(toRecord), next: last && { at: last.updatedAt, name: last._id } };
    },
  };
}

type CandidateDocument = Pick<ArticleDocument, 'slug' | 'title' | 'tags' | 'publishedAt'>;

function toCandidate({ slug, title, tags, publishedAt }: CandidateDocument): RelatedCandidate {
  return { slug, title, tags, publishedAt: publishedAt ?? new Date(0) };
}

// Each site and state is one range. The server merges the ranges, so it reads only the page.
function ranges({ site, state }: RecordFilter, after: RecordKey | undefined): object[] {
  const wantedSites = site === undefined ? sites : [site];
  const wantedStates = state === undefined ? articleStates : [state];
  return wantedSites.flatMap((eachSite) =>
    wantedStates.flatMap((eachState) => {
      const range = afterKey<ArticleDocument>({ site: eachSite, state: eachState }, 'updatedAt', '_id', after);
      return range.$or ?? [range];
    }),
  );
}
