/** Runs tasks with the same key one after the other in this process, which avoids conflicts in the database. */
export interface KeyedQueue {
  /** Runs the work after all earlier work with this key. Throws if the signal has aborted by then. */
  run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** It only saves work. Correctness comes from the database, because other processes have their own queues. */
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
