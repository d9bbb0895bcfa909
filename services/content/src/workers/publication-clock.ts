import { type CallContext, type Clock, type Logger, type Loop, startLoop } from '@knowledge/runtime';
import type { Article, ArticleName, ArticleOutcome } from '../domain/article.js';
import { decideDue } from '../domain/article-decisions.js';

/** The actor of the transitions that this worker makes. */
const clockActor = 'content/clock';

const atOnce = 50;

/** The store methods that this worker uses. */
export interface ScheduledArticles {
  due(now: Date, limit: number, signal: AbortSignal): Promise<ArticleName[]>;
  change(
    name: ArticleName,
    decide: (before: Article | undefined) => ArticleOutcome | undefined,
    call: Pick<CallContext, 'signal'>,
  ): Promise<unknown>;
}

/**
 * Publishes scheduled articles at their time of publication. Every replica may run it; each article is
 * published once.
 */
export function startPublicationClock(articles: ScheduledArticles, clock: Clock, log: Logger): Loop {
  return startLoop({
    name: 'publication clock',
    pauseMs: 1000,
    log,
    round: async (signal) => {
      const due = await articles.due(clock(), atOnce, signal);
      for (const name of due) {
        const act = { actor: clockActor, at: clock(), reason: '' };
        await articles.change(name, (before) => decideDue(before, act), { signal });
      }
      return due.length === atOnce;
    },
  });
}
