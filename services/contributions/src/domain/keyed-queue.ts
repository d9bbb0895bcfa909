/** Runs tasks with the same key one after the other in this process, which avoids conflicts in the database. */
export interface KeyedQueue {
  /** Runs the task after all earlier tasks with this key. Throws if the signal has aborted by then. */
  run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Makes a queue. It only reduces conflicts; the database ensures correctness, since each process has its own queue. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<void>>();
  return {
    run(key, signal, work) {
      const result = (last.get(key) ?? Promise.resolve()).then(() => {
        signal.throwIfAborted();
        return work();
      });
      const over = result.then(
        () => forget(),
        () => forget(),
      );
      const forget = (): void => {
        if (last.get(key) === over) last.delete(key);
      };
      last.set(key, over);
      return result;
    },
  };
}
