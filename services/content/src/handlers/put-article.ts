import type { PutArticleRequest, PutArticleResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { decidePut } from '../domain/article-decisions.js';
import { checkArticlePut } from '../domain/article-input.js';
import type { ArticleWrites } from '../store/article-writes.js';
import { actOf, type Clock } from './act.js';
import { logChange } from './log-change.js';
import { presentRecord } from './present-article.js';
import { presentOutcome } from './present-outcome.js';
import { readSite } from './wire-enums.js';

export function handlePutArticle(
  writes: ArticleWrites,
  clock: Clock,
): UnaryHandler<PutArticleRequest, PutArticleResponse> {
  return async (request, context) => {
    const put = checkArticlePut({ ...request, site: readSite(request.site) });
    const act = actOf(context, clock, put.reason);
    const decision = await writes.change(put, (before) => decidePut(before, put, act), context.signal);
    logChange(context, 'article', `${put.site}/${put.slug}`, decision);
    return { article: presentRecord(decision.article), outcome: presentOutcome(decision.outcome) };
  };
}
