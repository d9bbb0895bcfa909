import { deadlineIn, deadlineSignal, type Logger } from '@knowledge/runtime';

/** Work that is done again and again, at once when something is known to wait, else after a pause. */
export interface Loop {
  /** There is something to do. */
  kick(): void;
  /** Ends the round that runs and starts no other. */
  close(): Promise<void>;
}

/** How a loop goes. */
export interface LoopOptions {
  /** For the log. */
  name: string;
  /** How long it sleeps when nothing kicks it. */
  pauseMs: number;
  /** One round, which must end at the signal; gives whether more waits already. */
  round(signal: AbortSignal): Promise<boolean>;
  /** How long a round may take (default 10 s). */
  roundLimitMs?: number;
  log: Logger;
}

/** Starts a loop. A round that fails is logged and tried again after the pause. */
export function startLoop({ name, pauseMs, round, roundLimitMs = 10_000, log }: LoopOptions): Loop {
  const controller = new AbortController();
  const { signal } = controller;
  let kicked = false;
  let wake = (): void => undefined;

  const sleep = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs * (0.8 + Math.random() * 0.4));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      kicked = false;
      let more = false;
      const limit = deadlineSignal(deadlineIn(roundLimitMs), signal);
      try {
        more = await round(limit.signal);
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error, worker: name }, 'a worker failed; it tries again');
        kicked = false;
      } finally {
        limit.clear();
      }
      if (!more && !kicked && !signal.aborted) await sleep();
    }
  };
  const running = run();

  return {
    kick: () => {
      kicked = true;
      wake();
    },
    close: async () => {
      controller.abort();
      wake();
      await running;
    },
  };
}
