import { type Logger, startLoop } from '@knowledge/runtime';
import type { LogEntry, TransitionLog } from '../store/transitions.js';

/** Keeps the log complete and hands it to those who follow it. */
export interface LogFollower {
  /** The entries after a position, or those from now on, as they come; throws the signal's reason when it aborts. */
  follow(after: number | undefined, signal: AbortSignal, begun?: (position: number) => void): AsyncIterable<LogEntry>;
  close(): Promise<void>;
}

/** How long it takes at the most until a transition is seen by those who follow. */
const pauseMs = 300;
const pageSize = 200;

/** Starts to keep the log. Any number of replicas may do so. */
export function startLogFollower(transitions: TransitionLog, log: Logger): LogFollower {
  const sleepers = new Set<() => void>();
  const loop = startLoop({
    name: 'transition log',
    pauseMs,
    log,
    round: async (signal) => {
      const more = await transitions.collect(signal);
      for (const wake of sleepers) wake();
      return more;
    },
  });

  const nextRound = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        clearTimeout(timer);
        sleepers.delete(wake);
        resolve();
      };
      // The loop pauses longer when the database is away.
      const timer = setTimeout(wake, 2 * pauseMs);
      signal.addEventListener('abort', wake, { once: true });
      sleepers.add(wake);
    });

  return {
    close: loop.close,
    async *follow(after, signal, begun) {
      // What was decided before the call is not "from now on", though it may still wait for the log.
      while (after === undefined && (await transitions.collect(signal)));
      let position = after ?? (await transitions.last(signal));
      begun?.(position);
      while (!signal.aborted) {
        const entries = await transitions.read(position, pageSize, signal);
        for (const entry of entries) {
          yield entry;
          position = entry.position;
        }
        if (entries.length < pageSize && !signal.aborted) await nextRound(signal);
      }
      throw signal.reason as Error;
    },
  };
}
