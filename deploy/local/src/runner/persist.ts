import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../processes/start-error.js';

/** A refusal, which would come again. All other errors can pass: a process that starts again, a busy machine. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

export interface Persistence {
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

const patienceMs = 120_000;

/** Does a step of the sample until it succeeds, and says why it is done again. @throws StartError when it gives up */
export async function persist<T>(what: string, { log, signal }: Persistence, step: () => Promise<T>): Promise<T> {
  const giveUp = performance.now() + patienceMs;
  for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    try {
      return await step();
    } catch (error) {
      signal.throwIfAborted();
      const { message } = error as Error;
      if (error instanceof StartError) throw error;
      if (error instanceof Refusal || performance.now() > giveUp) {
        const advice = '"npm start" goes on where it stopped, "SAMPLE=off npm start" does without.';
        throw new StartError(`The sample content is not complete: ${what}: ${message}\n${advice}`);
      }
      log(`${what}: trying again: ${message}`);
      await delay(pauseMs, undefined, { signal });
    }
  }
}
