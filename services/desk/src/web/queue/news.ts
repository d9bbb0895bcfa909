import { setTimeout as sleep } from 'node:timers/promises';
import { type Follower, follow } from '../../watch/follow.js';
import type { LogSource } from '../../watch/sources.js';

/** What happened to a contribution, for the browsers that show the queue. */
export interface News {
  readonly id: string;
  /** The state before; empty for a new one. */
  readonly from: string;
  readonly to: string;
  readonly actor: string;
}

/** Passes on the log of contributions to every browser, from one stream. The stream is open while somebody listens. */
export interface NewsFeed {
  /** Returns how to stop listening; undefined if too many listen already. */
  listen(listener: (news: News) => void): (() => void) | undefined;
  close(): void;
}

const pauseMs = 2_000;

export function createNewsFeed(source: (signal: AbortSignal) => LogSource, maxListeners: number): NewsFeed {
  const listeners = new Set<(news: News) => void>();
  let stream: AbortController | undefined;
  const stop = (): void => {
    stream?.abort();
    stream = undefined;
  };
  return {
    listen(listener) {
      if (listeners.size >= maxListeners) return undefined;
      listeners.add(listener);
      if (stream === undefined) {
        stream = new AbortController();
        void run(source, stream.signal, (news) => {
          for (const each of listeners) each(news);
        });
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    close() {
      listeners.clear();
      stop();
    },
  };
}

// A browser reads the queue anew when it connects, so a stream may begin with what happens from now on.
async function run(
  source: (signal: AbortSignal) => LogSource,
  signal: AbortSignal,
  tell: (news: News) => void,
): Promise<void> {
  while (!signal.aborted) {
    const follower: Follower = follow(source(signal), '', undefined, signal, () => undefined);
    await follower
      .run((event) => {
        const { from_state = '', to_state = '', actor = '' } = event;
        if ('id' in event) tell({ id: event.id, from: from_state, to: to_state, actor });
      })
      .catch(() => undefined);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
