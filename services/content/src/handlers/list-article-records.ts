import type {
  ListArticleRecordsRequest,
  ListArticleRecordsResponse,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { pageSize, readTimeToken, writeTimeToken } from '../domain/listing.js';
import type { ArticleReads } from '../store/article-reads.js';
import { presentRecord } from './present-article.js';
import { readOptionalSite, readOptionalState } from './wire-enums.js';

export function handleListArticleRecords(
  reads: ArticleReads,
): UnaryHandler<ListArticleRecordsRequest, ListArticleRecordsResponse> {
  return async (request, { signal }) => {
    const filter = { site: readOptionalSite(request.site), state: readOptionalState(request.state) };
    const scope = ['records', filter.site ?? null, filter.state ?? null];
    const size = pageSize(request.pageSize);
    const page = await reads.records(filter, readTimeToken(request.pageToken, scope), size, signal);
    return { articles: page.entries.map(presentRecord), nextPageToken: writeTimeToken(page.next, scope) };
  };
}
