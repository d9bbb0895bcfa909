import type { PutArticleRequest, PutArticleResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Article, ArticleDecision } from '../domain/article.js';
import { decidePut } from '../domain/article-decisions.js';
import { checkArticlePut } from '../domain/article-input.js';
import type { ArticleWrites } from '../store/article-writes.js';
import { actOf, type Clock } from './act.js';
import { logChange } from './log-change.js';
import { presentRecord } from './present-article.js';
import { presentOutcome } from './present-outcome.js';
import { readOptionalSite } from './wire-enums.js';

export function handlePutArticle(
  writes: ArticleWrites,
  clock: Clock,
): UnaryHandler<PutArticleRequest, PutArticleResponse> {
  return async (request, context) => {
    const put = checkArticlePut({ ...request, site: readOptionalSite(request.site) });
    const act = actOf(context, clock, put.reason);
    const decide = (before: Article | undefined) => decidePut(before, put, act);
    if (request.validateOnly) return answerOf(await writes.preview(put, decide, context.signal));
    const decision = await writes.change(put, decide, context.signal);
    logChange(context, 'article', `${put.site}/${put.slug}`, decision);
    return answerOf(decision);
  };
}

function answerOf({ article, outcome }: ArticleDecision): PutArticleResponse {
  return { article: presentRecord(article), outcome: presentOutcome(outcome) };
}
