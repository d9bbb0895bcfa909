import type { Site as WireSite } from '@knowledge/proto/knowledge/common/v1/common';
import type { ArticleRecord as WireRecord } from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Article, ArticleDecision } from '../domain/article.js';
import { isSlug } from '../domain/bounds.js';
import type { Act } from '../domain/transition.js';
import type { ArticleWrites } from '../store/article-writes.js';
import { actOf, type Clock } from './act.js';
import { logChange } from './log-change.js';
import { presentRecord } from './present-article.js';
import { readSite } from './wire-enums.js';

/** What the three calls that move an article between states ask. */
interface MoveRequest {
  readonly site: WireSite;
  readonly slug: string;
  readonly expectedRevision: number;
  readonly reason: string;
}

/** The handler of a call that moves an article to another state. */
export function moveArticle(
  writes: ArticleWrites,
  clock: Clock,
  decide: (before: Article | undefined, expectedRevision: number, act: Act) => ArticleDecision,
): UnaryHandler<MoveRequest, { article: WireRecord | undefined }> {
  return async ({ site, slug, expectedRevision, reason }, context) => {
    const name = { site: readSite(site), slug };
    const act = actOf(context, clock, reason);
    if (!isSlug(slug)) throw new KnowledgeError('not_found', 'There is no such article.');
    const decision = await writes.change(name, (before) => decide(before, expectedRevision, act), context.signal);
    logChange(context, 'article', `${name.site}/${slug}`, decision);
    return { article: presentRecord(decision.article) };
  };
}
