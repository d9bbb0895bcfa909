/** Lets a few pieces of work run at a time; the others wait in the order in which they came. */
export interface Turnstile {
  /** @throws the signal's reason, if it aborts before the work's turn comes. */
  pass<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** A turnstile that lets `most` pass at a time. */
export function createTurnstile(most: number): Turnstile {
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
    async pass(signal, work) {
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
