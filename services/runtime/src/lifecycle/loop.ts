import { setMaxListeners } from 'node:events';
import { within } from '../deadline.js';
import type { Logger } from '../log/logger.js';

/** Repeats a piece of work. The next round starts at once if there is more to do, otherwise after a pause. */
export interface Loop {
  /** Starts the next round without waiting for the pause. */
  kick(): void;
  /** Starts no new round and waits for the running one, which it aborts after `closeLimitMs`. */
  close(): Promise<void>;
}

export interface LoopOptions {
  /** The name of the loop in log lines. */
  name: string;
  /** The pause between two rounds. `kick` ends it early. */
  pauseMs: number;
  /**
   * The longest pause (default: `pauseMs`). While rounds find nothing to do, each pause is longer than the one before,
   * up to this. A kick, or a round that found more to do, makes the pauses short again.
   */
  longestPauseMs?: number;
  /**
   * Runs one round and returns whether there is more to do. A number is the time in milliseconds until there is more
   * to do, so the next pause is not longer. The round must end when the signal aborts.
   */
  round(signal: AbortSignal): Promise<boolean | number>;
  /** The time limit of a round (default 10 s). */
  roundLimitMs?: number;
  /** How long the running round may continue while the loop closes (default 3 s; 0: not at all). */
  closeLimitMs?: number;
  log: Logger;
}

/** The longest pause after failed rounds. */
const maxPauseMs = 5000;

/** The factor by which pauses grow while there is nothing to do. */
const growth = 1.5;

/** A timer may end this much too early. */
const timerMs = 2;

/** The pause before work whose time has come. It may be work that nobody can do yet. */
const leastPauseMs = 250;

/** Starts a loop. After each failed round the pause grows, up to 5 s. A failure never ends the loop. */
export function startLoop({
  name,
  pauseMs,
  longestPauseMs = pauseMs,
  round,
  roundLimitMs = 10_000,
  closeLimitMs = 3000,
  log,
}: LoopOptions): Loop {
  const controller = new AbortController();
  const { signal } = controller;
  let closing = false;
  let kicked = false;
  let failures = 0;
  let quietMs = pauseMs;
  let wake = (): void => undefined;

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const runRound = async () => {
    const limited = (limit: AbortSignal) => {
      // Node warns above ten listeners, but a round may start many operations with this signal.
      setMaxListeners(100, limit);
      return round(limit);
    };
    try {
      const more = await within(roundLimitMs, limited, signal);
      if (failures > 0) log.info({ worker: name, failures }, 'a worker works again');
      failures = 0;
      return more;
    } catch (error) {
      if (signal.aborted) return false;
      if (failures === 0) log.warn({ err: error, worker: name }, 'a worker failed; it tries again');
      failures++;
      return false;
    }
  };

  const run = async () => {
    while (!closing) {
      kicked = false;
      const more = await runRound();
      if (closing) return;
      if (failures > 0) await sleep(aboutMs(Math.min(maxPauseMs, pauseMs * 2 ** Math.min(failures, 10))));
      else if (more === true || kicked) quietMs = pauseMs;
      else {
        const dueMs = more === false ? Number.POSITIVE_INFINITY : more > 0 ? more + timerMs : leastPauseMs;
        await sleep(Math.min(aboutMs(quietMs), dueMs));
        quietMs = kicked ? pauseMs : Math.min(quietMs * growth, longestPauseMs);
      }
    }
  };
  const running = run();

  return {
    kick: () => {
      kicked = true;
      wake();
    },
    close: async () => {
      closing = true;
      wake();
      const abort = () => controller.abort(new Error('The worker is closing.'));
      if (closeLimitMs === 0) abort();
      const limit = setTimeout(abort, closeLimitMs);
      await running;
      clearTimeout(limit);
    },
  };
}

/** Replicas that start together do not stay in step. */
function aboutMs(ms: number) {
  return ms * (0.8 + Math.random() * 0.4);
}
