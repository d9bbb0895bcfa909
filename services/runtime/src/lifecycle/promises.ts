/** Something that its process or test must close at the end. */
export interface Closable {
  close(): Promise<unknown> | unknown;
}

/** How long `closeAll` waits, unless its caller says otherwise. */
export const closeLimitMs = 15_000;

/**
 * Closes in reverse order, one after the other. If one close fails, the others still run, and all failures are thrown
 * at the end. After the time limit the remaining ones are closed without waiting.
 */
export async function closeAll(closables: readonly (Closable | undefined)[], limitMs = closeLimitMs): Promise<void> {
  const failures: unknown[] = [];
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), limitMs);
  });
  let late = false;
  for (const closable of [...closables].reverse()) {
    if (closable === undefined) continue;
    const closing = Promise.resolve()
      .then(() => closable.close())
      .catch((error: unknown) => void failures.push(error));
    late = late || (await Promise.race([closing, limit])) === 'late';
  }
  clearTimeout(timer);
  if (late) failures.push(new Error(`Not everything was closed within ${limitMs} ms.`));
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, 'Several things failed to close.');
}

export interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(reason: unknown): void;
}

/** A promise that is settled from outside. If it is rejected and nobody waits for it, the process goes on. */
export function deferred(): Deferred {
  let settle: Pick<Deferred, 'resolve' | 'reject'> = { resolve: () => undefined, reject: () => undefined };
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => undefined);
  return { promise, ...settle };
}

/**
 * Rejects when the signal aborts, for what accepts no signal. It is not stopped: the server may still apply an operation
 * of the database driver.
 */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  if (signal.aborted) {
    promise.catch(() => undefined);
    return Promise.reject(signal.reason as Error);
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Resolves after the given time, or earlier if the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
    if (signal?.aborted) done();
  });
}

/** Shares one run of the work among several callers. A call during a run waits for the next run. */
export function sharedRounds<T>(work: () => Promise<T>) {
  let round: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const begin = () => {
    round = work().finally(() => {
      round = undefined;
    });
    return round;
  };
  return (): Promise<T> => {
    if (round === undefined) return begin();
    next ??= round
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}
