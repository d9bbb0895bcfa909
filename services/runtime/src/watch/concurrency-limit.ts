import pLimit from 'p-limit';

/** Limits how many pieces of work run at the same time. Others wait in the order of their calls. */
interface ConcurrencyLimit {
  /** @throws the signal's reason, if the signal aborts before the work starts. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Makes a limit. At most `most` pieces of work run at the same time. */
export function createConcurrencyLimit(most: number): ConcurrencyLimit {
  const limit = pLimit(most);
  return {
    run: (signal, work) =>
      new Promise((resolve, reject) => {
        const leave = () => reject(signal.reason);
        signal.addEventListener('abort', leave);
        if (signal.aborted) leave();
        const start = () => {
          signal.removeEventListener('abort', leave);
          signal.throwIfAborted();
          return work();
        };
        limit(start).then(resolve, reject);
      }),
  };
}
