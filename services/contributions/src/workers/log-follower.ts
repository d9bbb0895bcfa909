import { type Logger, startLoop } from '@knowledge/runtime';
import type { LogEntry, TransitionLog } from '../store/transition-log.js';

/** Keeps the log complete and hands it to those who follow it. */
export interface LogFollower {
  /** Something was decided. */
  kick(): void;
  /** The entries after a position, or those from now on, as they come; ends when the signal aborts. */
  follow(after: number | undefined, signal: AbortSignal, begun?: (position: number) => void): AsyncIterable<LogEntry>;
  close(): Promise<void>;
}

/** How long a follower waits before it looks for what other replicas appended. */
const lookAgainMs = 300;
const pageSize = 200;

/** Starts to keep the log. Any number of replicas may do so. */
export function startLogFollower(log: TransitionLog, processLog: Logger): LogFollower {
  const sleepers = new Set<() => void>();
  const wakeAll = (): void => {
    for (const wake of sleepers) wake();
  };
  const loop = startLoop({
    name: 'transition log',
    pauseMs: 500,
    log: processLog,
    round: async (signal) => {
      const more = await log.append(signal);
      wakeAll();
      return more;
    },
  });

  const sleep = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, lookAgainMs);
      signal.addEventListener('abort', wake, { once: true });
      sleepers.add(wake);
    });

  return {
    kick: loop.kick,
    close: loop.close,
    async *follow(after, signal, begun) {
      // What was decided before the call is not "from now on", though it may still wait for the log.
      while (after === undefined && (await log.append(signal)));
      let position = after ?? (await log.last(signal));
      begun?.(position);
      while (!signal.aborted) {
        const entries = await log.read(position, pageSize, signal);
        for (const entry of entries) {
          yield entry;
          position = entry.position;
        }
        if (entries.length < pageSize) await sleep(signal);
      }
      throw signal.reason as Error;
    },
  };
}
