import { type Attribution, type Clock, type Closable, type Logger, startLoop } from '@knowledge/runtime';
import { decideDraftDue } from '../article-drafts/domain.js';
import type { ArticleDraftStore } from '../article-drafts/store.js';
import { decideDue } from '../articles/decisions.js';
import type { ArticleName } from '../articles/domain.js';
import type { ArticleReads } from '../articles/store-reads.js';
import type { ArticleWrites } from '../articles/store-writes.js';
import type { Change } from '../changes/log.js';
import type { ChangeStream } from '../changes/stream.js';

/** The actor of the transitions that this worker makes. */
const clockActor = 'content/clock';

const atOnce = 50;

/** Texts that are published at a time in the future. */
interface ScheduledTexts {
  /** The name of the worker in log lines. */
  readonly name: string;
  /** What the changes are about that can bring a new time. */
  readonly subject: Change['subject'];
  due(now: Date, limit: number, signal: AbortSignal): Promise<ArticleName[]>;
  nextDue(signal: AbortSignal): Promise<Date | undefined>;
  /** Publishes a text if it is still due. */
  publish(name: ArticleName, act: Attribution, signal: AbortSignal): Promise<unknown>;
}

/**
 * Publishes scheduled texts at their time. Every replica may run it; each text is published once. It sleeps until
 * the next text is due, and looks again at each change of such a text.
 */
export function startPublicationClock(
  texts: ScheduledTexts,
  changeStream: Pick<ChangeStream, 'subscribe'>,
  clock: Clock,
  log: Logger,
): Closable {
  const loop = startLoop({
    name: texts.name,
    pauseMs: 1000,
    longestPauseMs: 10_000,
    log,
    round: async (signal) => {
      const due = await texts.due(clock(), atOnce, signal);
      for (const name of due) await texts.publish(name, { actor: clockActor, at: clock(), reason: '' }, signal);
      if (due.length === atOnce) return true;
      const next = await texts.nextDue(signal);
      return next === undefined ? false : next.getTime() - clock().getTime();
    },
  });
  const unsubscribe = changeStream.subscribe({
    change: ({ subject }) => {
      if (subject === texts.subject) loop.kick();
    },
    reset: loop.kick,
  });
  return {
    close: () => {
      unsubscribe();
      return loop.close();
    },
  };
}

/** The scheduled articles that the publication clock publishes at their time of publication. */
export function scheduledArticles(
  { due, nextDue }: Pick<ArticleReads, 'due' | 'nextDue'>,
  { change }: Pick<ArticleWrites, 'change'>,
): ScheduledTexts {
  return {
    name: 'publication clock',
    subject: 'article',
    due,
    nextDue,
    publish: (name, act, signal) => change(name, (before) => decideDue(before, act), { signal }),
  };
}

/** The drafts that the publication clock publishes at their time. */
export function scheduledDrafts({ due, nextDue, change }: ArticleDraftStore): ScheduledTexts {
  return {
    name: 'draft publication clock',
    subject: 'article_draft',
    due,
    nextDue,
    publish: (name, { actor, at }, signal) =>
      change(name, (state) => decideDraftDue(state, { now: at, actor }), { signal }),
  };
}
