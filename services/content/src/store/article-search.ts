import { type ListPage, toListPage } from '@knowledge/runtime';
import { afterPosition } from '@knowledge/runtime/mongodb';
import type { Filter } from 'mongodb';
import type { ArticleEntry } from '../domain/article.js';
import type { ArticleFilter, MatchPosition, MatchQuery } from '../domain/listing.js';
import { isAfter, type Match, positionOfMatch, rankMatches, searchWords } from '../domain/search.js';
import { type EntryDocument, entryProjection, toEntry } from './article-documents.js';
import { newestFirst, publishedFilter } from './article-index.js';
import type { ArticleDocument, Collections } from './documents.js';

/** Full-text search of published articles. */
export interface ArticleSearch {
  /** Lists the matches, best first. A query without a word gives an empty list page. */
  search(filter: ArticleFilter, query: MatchQuery, signal: AbortSignal): Promise<ListPage<ArticleEntry, MatchPosition>>;
}

/** Up to this number of matches the database scores all of them, so it must read each one. */
const manyMatches = 2000;
/**
 * For more matches, our code ranks this many matches of each word. With a filter it reads more, since
 * many do not pass.
 */
const bestOfWord = { plain: 200, filtered: 1000 };

/**
 * Makes a search whose cost does not grow with the number of articles (gateway/PROTOCOL.md#articles). The text index
 * sorts the articles of a word by weight. So the search can read the best ones only; exact scores would need all of
 * them.
 */
export function createArticleSearch({ articles }: Collections): ArticleSearch {
  const isCommon = async ({ site }: ArticleFilter, words: string, signal: AbortSignal): Promise<boolean> => {
    const found = articles.aggregate<{ count: number }>(
      [{ $match: textFilter(site, words) }, { $limit: manyMatches + 1 }, { $count: 'count' }],
      { signal },
    );
    return ((await found.next())?.count ?? 0) > manyMatches;
  };

  const scored = async (
    filter: ArticleFilter,
    words: string,
    { size, after }: MatchQuery,
    signal: AbortSignal,
  ): Promise<ListPage<ArticleEntry, MatchPosition>> => {
    const pipeline = [
      { $match: { ...publishedFilter(filter), ...textFilter(filter.site, words) } },
      { $project: { ...entryProjection, score: { $meta: 'textScore' } } },
      { $match: afterMatch(after) },
      { $sort: { score: -1, ...newestFirst } },
      { $limit: size + 1 },
    ];
    const found = await articles.aggregate<EntryDocument & { score: number }>(pipeline, { signal }).toArray();
    const matches = found.map((each) => ({ entry: toEntry(each), score: each.score }));
    return entriesOf(toListPage(matches, size, positionOfMatch));
  };

  const best = async (word: string, filter: ArticleFilter, signal: AbortSignal): Promise<ArticleEntry[]> => {
    const { site, tag, updatedSince } = filter;
    const limit = tag === '' && updatedSince === undefined ? bestOfWord.plain : bestOfWord.filtered;
    const options = { projection: entryProjection, limit, signal };
    const found = await articles.find<EntryDocument>(textFilter(site, word), options).toArray();
    return found
      .map(toEntry)
      .filter((entry) => (tag === '' || entry.tags.includes(tag)) && entry.updatedAt >= (updatedSince ?? new Date(0)));
  };

  return {
    async search(filter, { size, after }, signal) {
      const words = searchWords(filter.query);
      if (words.length === 0) return { items: [], next: undefined };
      if (!(await isCommon(filter, words.join(' '), signal))) {
        return scored(filter, words.join(' '), { size, after }, signal);
      }
      const matches = await Promise.all(words.map((word) => best(word, filter, signal)));
      const ranked = rankMatches(words, matches).filter((match) => after === undefined || isAfter(match, after));
      return entriesOf(toListPage(ranked, size, positionOfMatch));
    },
  };
}

function entriesOf({ items, next }: ListPage<Match, MatchPosition>): ListPage<ArticleEntry, MatchPosition> {
  return { items: items.map(({ entry }) => entry), next };
}

function textFilter(site: ArticleFilter['site'], words: string): Filter<ArticleDocument> {
  return { site, state: 'published', $text: { $search: words } };
}

function afterMatch(after: MatchPosition | undefined): object {
  if (after === undefined) return {};
  const { score } = after;
  return { $or: [{ score: { $lt: score } }, { score, ...afterPosition({}, newestFirst, after) }] };
}
