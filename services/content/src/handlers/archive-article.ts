import type { ArchiveArticleRequest, ArchiveArticleResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { decideArchive } from '../domain/article-decisions.js';
import type { ArticleWrites } from '../store/article-writes.js';
import type { Clock } from './act.js';
import { moveArticle } from './move-article.js';

export function handleArchiveArticle(
  writes: ArticleWrites,
  clock: Clock,
): UnaryHandler<ArchiveArticleRequest, ArchiveArticleResponse> {
  return moveArticle(writes, clock, decideArchive);
}
