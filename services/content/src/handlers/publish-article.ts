import type { PublishArticleRequest, PublishArticleResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { decidePublish } from '../domain/article-decisions.js';
import type { ArticleWrites } from '../store/article-writes.js';
import type { Clock } from './act.js';
import { moveArticle } from './move-article.js';

export function handlePublishArticle(
  writes: ArticleWrites,
  clock: Clock,
): UnaryHandler<PublishArticleRequest, PublishArticleResponse> {
  return moveArticle(writes, clock, decidePublish);
}
