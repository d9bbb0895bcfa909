import type { DeleteArticleRequest, DeleteArticleResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Article } from '../domain/article.js';
import { decideRemoval } from '../domain/article-removal.js';
import { isSlug } from '../domain/bounds.js';
import type { ArticleWrites } from '../store/article-writes.js';
import { actOf, type Clock } from './act.js';
import { logChange } from './log-change.js';
import { readSite } from './wire-enums.js';

export function handleDeleteArticle(
  writes: ArticleWrites,
  clock: Clock,
): UnaryHandler<DeleteArticleRequest, DeleteArticleResponse> {
  return async ({ site, slug, expectedRevision, reason }, context) => {
    const name = { site: readSite(site), slug };
    const act = actOf(context, clock, reason);
    if (!isSlug(slug)) throw new KnowledgeError('not_found', 'There is no such article.');
    const request = { actor: act.actor, requestId: context.requestId };
    const decide = (before: Article | undefined) => decideRemoval(before, expectedRevision, act);
    const removal = await writes.remove(name, request, decide, context.signal);
    if (removal !== undefined) logChange(context, 'article', `${name.site}/${slug}`, removal);
    return {};
  };
}
