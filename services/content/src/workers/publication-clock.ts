import { type CallContext, type Clock, type Closable, type Logger, startLoop } from '@knowledge/runtime';
import type { Article, ArticleName, ArticleOutcome } from '../domain/article.js';
import { decideDue } from '../domain/article-decisions.js';
import type { ChangeStream } from '../domain/change-stream.js';

/** The actor of the transitions that this worker makes. */
const clockActor = 'content/clock';

const atOnce = 50;

/** The store methods that this worker uses. */
export interface ScheduledArticles {
  due(now: Date, limit: number, signal: AbortSignal): Promise<ArticleName[]>;
  nextDue(signal: AbortSignal): Promise<Date | undefined>;
  change(
    name: ArticleName,
    decide: (before: Article | undefined) => ArticleOutcome | undefined,
    call: Pick<CallContext, 'signal'>,
  ): Promise<unknown>;
}

/**
 * Publishes scheduled articles at their time of publication. Every replica may run it; each article is
 * published once. It sleeps until the next article is due, and looks again at each change.
 */
export function startPublicationClock(
  articles: ScheduledArticles,
  changeStream: Pick<ChangeStream, 'subscribe'>,
  clock: Clock,
  log: Logger,
): Closable {
  const loop = startLoop({
    name: 'publication clock',
    pauseMs: 1000,
    longestPauseMs: 10_000,
    log,
    round: async (signal) => {
      const due = await articles.due(clock(), atOnce, signal);
      for (const name of due) {
        const act = { actor: clockActor, at: clock(), reason: '' };
        await articles.change(name, (before) => decideDue(before, act), { signal });
      }
      if (due.length === atOnce) return true;
      const next = await articles.nextDue(signal);
      return next === undefined ? false : next.getTime() - clock().getTime();
    },
  });
  const unsubscribe = changeStream.subscribe({ change: loop.kick, reset: loop.kick });
  return {
    close: () => {
      unsubscribe();
      return loop.close();
    },
  };
}
