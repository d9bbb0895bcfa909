import type {
  ReturnArticleToDraftRequest,
  ReturnArticleToDraftResponse,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { decideDraft } from '../domain/article-decisions.js';
import type { ArticleWrites } from '../store/article-writes.js';
import type { Clock } from './act.js';
import { moveArticle } from './move-article.js';

export function handleReturnArticleToDraft(
  writes: ArticleWrites,
  clock: Clock,
): UnaryHandler<ReturnArticleToDraftRequest, ReturnArticleToDraftResponse> {
  return moveArticle(writes, clock, decideDraft);
}
