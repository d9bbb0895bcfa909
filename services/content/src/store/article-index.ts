import type { Filter } from 'mongodb';
import type { ArticleEntry } from '../domain/article.js';
import type { ArticleFilter, ArticleKey, MatchKey, Page } from '../domain/listing.js';
import type { Site } from '../domain/site.js';
import { type EntryDocument, entryProjection, toEntry } from './article-documents.js';
import { type ArticleDocument, type Collections, countsId } from './documents.js';
import { afterKey, cut } from './keyset.js';
import { indexes } from './schema.js';

/** The index of published articles. */
export interface ArticleIndex {
  /** Newest first; the query of the filter is not looked at. */
  page(
    filter: ArticleFilter,
    after: ArticleKey | undefined,
    size: number,
    signal: AbortSignal,
  ): Promise<Page<ArticleEntry, ArticleKey>>;
  /** Best match first. What holds nothing to search for gives an empty page. */
  search(
    filter: ArticleFilter,
    after: MatchKey | undefined,
    size: number,
    signal: AbortSignal,
  ): Promise<Page<ArticleEntry, MatchKey>>;
  /** How many are published, from the maintained count. */
  total(site: Site, signal: AbortSignal): Promise<number>;
}

/** Up to so many articles are sorted by the server; with more, the order of the index leads to a page sooner. */
const fewUpdated = 2000;

/** The index of published articles in these collections. */
export function createArticleIndex({ articles, counts }: Collections): ArticleIndex {
  const isFew = async ({ site, updatedSince }: ArticleFilter, signal: AbortSignal): Promise<boolean> => {
    if (updatedSince === undefined) return false;
    const filter: Filter<ArticleDocument> = { site, state: 'published', updated_at: { $gte: updatedSince } };
    const count = await articles.countDocuments(filter, { limit: fewUpdated, hint: indexes.updated, signal });
    return count < fewUpdated;
  };

  return {
    async page(filter, after, size, signal) {
      const few = await isFew(filter, signal);
      const query = { ...published(filter), ...afterKey('published_at', 'slug', after && keyOf(after)) };
      const found = await articles
        .find<EntryDocument>(query as Filter<ArticleDocument>, {
          projection: entryProjection,
          sort: { published_at: -1, slug: 1 },
          limit: size + 1,
          hint: indexFor(filter, few),
          signal,
        })
        .toArray();
      const { entries, last } = cut(found.map(toEntry), size);
      return { entries, next: last && { publishedAt: timeOf(last), slug: last.slug } };
    },

    async search(filter, after, size, signal) {
      if (filter.query.trim() === '') return { entries: [], next: undefined };
      const pipeline = [
        { $match: { ...published(filter), $text: { $search: filter.query } } },
        { $project: { ...entryProjection, score: { $meta: 'textScore' } } },
        { $match: afterMatch(after) },
        { $sort: { score: -1, published_at: -1, slug: 1 } },
        { $limit: size + 1 },
      ];
      const found = await articles.aggregate<MatchDocument>(pipeline, { signal }).toArray();
      const { entries, last } = cut(found, size);
      const next = last && { score: last.score, publishedAt: timeOf(toEntry(last)), slug: last.slug };
      return { entries: entries.map(toEntry), next };
    },

    async total(site, signal) {
      const found = await counts.findOne({ _id: countsId }, { projection: { articles: 1 }, signal });
      return found?.articles?.[site] ?? 0;
    },
  };
}

type MatchDocument = EntryDocument & { score: number };

function published({ site, tag, updatedSince }: ArticleFilter): Filter<ArticleDocument> {
  return {
    site,
    state: 'published',
    ...(tag === '' ? {} : { tags: tag }),
    ...(updatedSince === undefined ? {} : { updated_at: { $gte: updatedSince } }),
  };
}

function indexFor({ tag }: ArticleFilter, few: boolean): string {
  if (few) return indexes.updated;
  return tag === '' ? indexes.listing : indexes.tagged;
}

function keyOf({ publishedAt, slug }: ArticleKey): { at: Date; name: string } {
  return { at: publishedAt, name: slug };
}

function afterMatch(after: MatchKey | undefined): object {
  if (after === undefined) return {};
  const { score } = after;
  return {
    $or: [{ score: { $lt: score } }, { score, ...afterKey<ArticleDocument>('published_at', 'slug', keyOf(after)) }],
  };
}

// What is published has the time of its publication.
function timeOf({ publishedAt }: ArticleEntry): Date {
  return publishedAt ?? new Date(0);
}
