import { setTimeout as delay } from 'node:timers/promises';
import { endProcess } from '../processes/end-process.js';
import type { ProcessId } from '../processes/process-id.js';

/** A process that was just started. */
export interface LaunchedProcess {
  readonly processId: ProcessId;
  /** Resolves when the process ends, with its exit code or signal in words. */
  readonly exited: Promise<string>;
  /** Resolves once the process is ready; rejects if it ends before. */
  readonly answering: Promise<void>;
}

export interface SuperviseOptions {
  readonly name: string;
  readonly launch: () => Promise<LaunchedProcess>;
  /** Called with each process as soon as it has a pid. */
  readonly onLaunch: (processId: ProcessId) => void;
  readonly log: (line: string) => void;
  /** How long a stop waits after SIGTERM before SIGKILL. */
  readonly stopGraceMs: number;
}

export interface SupervisedProcess {
  readonly name: string;
  /** Resolves when the process is ready for the first time; rejects after three failed starts. */
  readonly answering: Promise<void>;
  /** Ends the process and does not restart it. `hurry` sends SIGKILL at once. */
  stop(hurry?: AbortSignal): Promise<void>;
}

/** A process did not become ready. */
export class StartFailedError extends Error {
  override readonly name = 'StartFailedError';
}

const firstBackOffMs = 100;
const longestBackOffMs = 5_000;
const steadyAfterMs = 10_000;
const triesOfTheFirstStart = 3;

/** Restarts a process when it ends, with longer pauses while it keeps ending. */
export function supervise(options: SuperviseOptions): SupervisedProcess {
  const { name, log } = options;
  const stopping = new AbortController();
  let current: LaunchedProcess | undefined;
  let hasAnswered = false;
  let firstAnswer: (failure?: Error) => void = () => undefined;
  const answering = new Promise<void>((resolve, reject) => {
    firstAnswer = (failure) => (failure === undefined ? resolve() : reject(failure));
  });
  // Prevents an unhandled rejection while no caller awaits it yet.
  answering.catch(() => undefined);

  const answered = (pid: number): void => {
    if (hasAnswered) log(`is back (pid ${pid})`);
    hasAnswered = true;
    firstAnswer();
  };

  /** Runs the process until it ends. @returns its exit code or signal in words */
  const live = async (): Promise<string> => {
    try {
      const launched = await options.launch();
      current = launched;
      options.onLaunch(launched.processId);
      if (stopping.signal.aborted) return 'stopped';
      const answer = launched.answering.then(() => answered(launched.processId.pid));
      await Promise.race([answer, launched.exited]);
      return await launched.exited;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

  const loop = async (): Promise<void> => {
    let shortLives = 0;
    while (!stopping.signal.aborted) {
      const began = Date.now();
      const how = await live();
      if (stopping.signal.aborted) break;
      shortLives = Date.now() - began > steadyAfterMs ? 1 : shortLives + 1;
      if (!hasAnswered && shortLives >= triesOfTheFirstStart) {
        firstAnswer(new StartFailedError(`${name} does not start: ${how}`));
        return;
      }
      const wait = Math.min(longestBackOffMs, firstBackOffMs * 2 ** (shortLives - 1));
      log(`ended (${how}), is started again in ${wait / 1_000} s`);
      await delay(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const looping = loop();

  return {
    name,
    answering,
    stop: async (hurry) => {
      stopping.abort();
      firstAnswer(new StartFailedError(`${name} is being stopped`));
      const grace = { graceMs: options.stopGraceMs, ...(hurry === undefined ? {} : { hurry }) };
      if (current !== undefined) await endProcess(current.processId, grace);
      await looping;
      // A launch that was in progress at the stop has a process only now.
      if (current !== undefined) await endProcess(current.processId, grace);
    },
  };
}
