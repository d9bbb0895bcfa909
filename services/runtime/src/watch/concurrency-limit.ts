import pLimit from 'p-limit';

/** Makes a limit: at most `most` pieces of work run at the same time. Others wait in the order of their calls. */
export function createConcurrencyLimit(most: number) {
  const limit = pLimit(most);
  return {
    /** @throws the signal's reason, if the signal aborts before the work starts. */
    run: <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
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
