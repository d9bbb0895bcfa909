import { type Attribution, type Clock, type Closable, type Logger, startLoop } from '@knowledge/runtime';
import type { ArticleName } from '../domain/article.js';
import type { ChangeStream } from '../domain/change-stream.js';

/** The actor of the transitions that this worker makes. */
const clockActor = 'content/clock';

const atOnce = 50;

/** Texts that are published at a time in the future. */
export interface ScheduledTexts {
  /** The name of the worker in log lines. */
  readonly name: string;
  due(now: Date, limit: number, signal: AbortSignal): Promise<ArticleName[]>;
  nextDue(signal: AbortSignal): Promise<Date | undefined>;
  /** Publishes a text if it is still due. */
  publish(name: ArticleName, act: Attribution, signal: AbortSignal): Promise<unknown>;
}

/**
 * Publishes scheduled texts at their time. Every replica may run it; each text is published once. It sleeps until
 * the next text is due, and looks again at each change.
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
  const unsubscribe = changeStream.subscribe({ change: loop.kick, reset: loop.kick });
  return {
    close: () => {
      unsubscribe();
      return loop.close();
    },
  };
}
