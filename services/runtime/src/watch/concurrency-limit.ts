/** Lets a few pieces of work run at a time. The others wait in order of arrival. */
export interface ConcurrencyLimit {
  /** @throws the signal's reason, if it aborts before the work's turn comes. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Makes a limit of `most` pieces of work at a time. */
export function createConcurrencyLimit(most: number): ConcurrencyLimit {
  let running = 0;
  const waiting = new Set<() => void>();

  const enter = async (signal: AbortSignal): Promise<void> => {
    while (running >= most && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const go = (): void => {
          waiting.delete(go);
          signal.removeEventListener('abort', go);
          resolve();
        };
        waiting.add(go);
        signal.addEventListener('abort', go, { once: true });
      });
    }
    signal.throwIfAborted();
    running++;
  };

  return {
    async run(signal, work) {
      await enter(signal);
      try {
        return await work();
      } finally {
        running--;
        const [next] = waiting;
        next?.();
      }
    },
  };
}
