import { type ListPage, type ListPageQuery, type Site, toListPage } from '@knowledge/runtime';
import { afterPosition } from '@knowledge/runtime/mongodb';
import type { Filter } from 'mongodb';
import type { ArticleEntry } from '../domain/article.js';
import type { ArticleFilter } from '../domain/listing.js';
import { type EntryDocument, entryProjection, toEntry } from './article-documents.js';
import { type ArticleDocument, type Collections, countsId } from './documents.js';
import { indexes } from './schema.js';

/** The index of published articles. */
export interface ArticleIndex {
  /** Returns a list page, newest first. It ignores the search query of the filter. */
  page(filter: ArticleFilter, query: ListPageQuery, signal: AbortSignal): Promise<ListPage<ArticleEntry>>;
  /** The number of published articles. It reads the stored count. */
  total(site: Site, signal: AbortSignal): Promise<number>;
}

/** The order of the index. */
const newestFirst = { publishedAt: -1, slug: 1 } as const;

/** Up to this number of articles, sorting them is faster. For more, reading them in index order is faster. */
const fewUpdated = 2000;

/** Makes the index of published articles from these collections. */
export function createArticleIndex({ articles, counts }: Collections): ArticleIndex {
  const isFew = async ({ site, updatedSince }: ArticleFilter, signal: AbortSignal): Promise<boolean> => {
    if (updatedSince === undefined) return false;
    const filter: Filter<ArticleDocument> = { site, state: 'published', updatedAt: { $gte: updatedSince } };
    const count = await articles.countDocuments(filter, { limit: fewUpdated, hint: indexes.updated, signal });
    return count < fewUpdated;
  };

  return {
    async page(filter, { size, after }, signal) {
      const few = await isFew(filter, signal);
      const found = await articles
        .find<EntryDocument>(afterPosition(publishedFilter(filter), newestFirst, after), {
          projection: entryProjection,
          sort: newestFirst,
          limit: size + 1,
          hint: indexFor(filter, few),
          signal,
        })
        .toArray();
      return toListPage(found.map(toEntry), size, (entry) => ({ at: timeOf(entry), id: entry.slug }));
    },

    async total(site, signal) {
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

// Every published article has a time of publication, so the fallback is never used.
function timeOf({ publishedAt }: ArticleEntry): Date {
  return publishedAt ?? new Date(0);
}
