import type {
  GetArticleRecordRequest,
  GetArticleRecordResponse,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { isSlug } from '../domain/bounds.js';
import type { ArticleReads } from '../store/article-reads.js';
import { presentWholeRecord } from './present-article.js';
import { readSite } from './wire-enums.js';

export function handleGetArticleRecord(
  reads: ArticleReads,
): UnaryHandler<GetArticleRecordRequest, GetArticleRecordResponse> {
  return async (request, { signal }) => {
    const name = { site: readSite(request.site), slug: request.slug };
    const [article, history] = isSlug(name.slug)
      ? await Promise.all([reads.record(name, signal), reads.history(name, signal)])
      : [undefined, []];
    if (article === undefined) throw new KnowledgeError('not_found', 'There is no such article.');
    return { article: presentWholeRecord(article, history) };
  };
}
