/**
 * Runs tasks with the same key one after the other in this process. It only reduces conflicts; the database ensures
 * correctness, since each process has its own queue.
 */
export function createKeyedQueue() {
  const last = new Map<string, Promise<void>>();
  return {
    /** Runs the task after all earlier tasks with this key. Throws if the signal has aborted by then. */
    run<T>(key: string, signal: AbortSignal, work: () => Promise<T>) {
      const result = (last.get(key) ?? Promise.resolve()).then(() => {
        signal.throwIfAborted();
        return work();
      });
      const over = result.then(
        () => forget(),
        () => forget(),
      );
      const forget = () => {
        if (last.get(key) === over) last.delete(key);
      };
      last.set(key, over);
      return result;
    },
  };
}

export type KeyedQueue = ReturnType<typeof createKeyedQueue>;
