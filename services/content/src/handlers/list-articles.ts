import type { ListArticlesRequest, ListArticlesResponse } from '@knowledge/proto/knowledge/content/v1/content';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import {
  type ArticleFilter,
  checkArticleFilter,
  pageSize,
  readArticleToken,
  readMatchToken,
  writeArticleToken,
} from '../domain/listing.js';
import type { ArticleIndex } from '../store/article-index.js';
import type { ArticleSearch } from '../store/article-search.js';
import { presentEntry } from './present-article.js';
import { readSite } from './wire-enums.js';

export function handleListArticles(
  index: ArticleIndex,
  articles: ArticleSearch,
): UnaryHandler<ListArticlesRequest, ListArticlesResponse> {
  return async (request, { signal }) => {
    const { query, tag, updatedSince, pageToken } = request;
    const filter: ArticleFilter = { site: readSite(request.site), query, tag, updatedSince };
    checkArticleFilter(filter);
    const size = pageSize(request.pageSize);
    const isWhole = query === '' && tag === '' && updatedSince === undefined;
    const [page, total] = await Promise.all([
      query === ''
        ? index.page(filter, readArticleToken(pageToken, filter), size, signal)
        : articles.search(filter, readMatchToken(pageToken, filter), size, signal),
      isWhole ? index.total(filter.site, signal) : undefined,
    ]);
    return {
      entries: page.entries.map(presentEntry),
      total,
      nextPageToken: writeArticleToken(page.next, filter),
    };
  };
}
