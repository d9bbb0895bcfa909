import { setTimeout as delay } from 'node:timers/promises';
import { endProcess } from '../processes/end-process.js';
import type { ProcessIdentity } from '../processes/identity.js';

/** A process that was just started. */
export interface Launched {
  readonly identity: ProcessIdentity;
  /** Resolves, when it has ended, with how it ended in a few words. */
  readonly exited: Promise<string>;
  /** Resolves once it does its work; rejects if it is given up, and it then ends. */
  readonly answering: Promise<void>;
}

export interface SuperviseOptions {
  readonly name: string;
  readonly launch: () => Promise<Launched>;
  /** Told each process as soon as it has a pid. */
  readonly onLaunch: (identity: ProcessIdentity) => void;
  readonly log: (line: string) => void;
  /** How long SIGTERM is given at the stop before SIGKILL. */
  readonly stopGraceMs: number;
}

export interface Supervised {
  readonly name: string;
  /** Resolves when it answers for the first time; rejects when it ended three times before. */
  readonly answering: Promise<void>;
  /** Ends it for good. `hurry` cuts the grace short. */
  stop(hurry?: AbortSignal): Promise<void>;
}

/** A process did not come up. */
export class StartFailedError extends Error {
  override readonly name = 'StartFailedError';
}

const FIRST_BACK_OFF_MS = 100;
const LONGEST_BACK_OFF_MS = 5_000;
const STEADY_AFTER_MS = 10_000;
const TRIES_OF_THE_FIRST_START = 3;

/** Keeps one process running: starts it again when it ends, later and later while it does not hold. */
export function supervise(options: SuperviseOptions): Supervised {
  const { name, log } = options;
  const stopping = new AbortController();
  let current: Launched | undefined;
  let hasAnswered = false;
  let firstAnswer: (failure?: Error) => void = () => undefined;
  const answering = new Promise<void>((resolve, reject) => {
    firstAnswer = (failure) => (failure === undefined ? resolve() : reject(failure));
  });
  // Whoever waits for it sees the failure; that nobody waits yet is no defect.
  answering.catch(() => undefined);

  const answered = (pid: number): void => {
    if (hasAnswered) log(`is back (pid ${pid})`);
    hasAnswered = true;
    firstAnswer();
  };

  /** One life. @returns how it ended */
  const live = async (): Promise<string> => {
    try {
      const launched = await options.launch();
      current = launched;
      options.onLaunch(launched.identity);
      if (stopping.signal.aborted) return 'stopped';
      const answer = launched.answering.then(() => answered(launched.identity.pid));
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
      shortLives = Date.now() - began > STEADY_AFTER_MS ? 1 : shortLives + 1;
      if (!hasAnswered && shortLives >= TRIES_OF_THE_FIRST_START) {
        firstAnswer(new StartFailedError(`${name} does not start: ${how}`));
        return;
      }
      const wait = Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (shortLives - 1));
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
      if (current !== undefined) await endProcess(current.identity, grace);
      await looping;
      // A launch that was under way when the stop came has a process only now.
      if (current !== undefined) await endProcess(current.identity, grace);
    },
  };
}
