/** Limits how many pieces of work run at the same time. Others wait in the order of their calls. */
interface ConcurrencyLimit {
  /** @throws the signal's reason, if the signal aborts before the work starts. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Makes a limit. At most `most` pieces of work run at the same time. */
export function createConcurrencyLimit(most: number): ConcurrencyLimit {
  let running = 0;
  const waiting = new Set<() => void>();

  const enter = async (signal: AbortSignal) => {
    while (running >= most && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const go = () => {
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
