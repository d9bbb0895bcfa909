import type { TextKey } from '../texts/search-text.js';

/** The texts that changed and are not read again yet. */
export interface PendingTexts {
  has(key: TextKey): boolean;
  /** Notes a change of a text. */
  add(key: TextKey): void;
  /** At most this many of the texts that wait longest. `done` must be called after they were read. */
  take(limit: number): { readonly keys: readonly TextKey[]; done(): void };
  readonly isEmpty: boolean;
  /** Resolves when every text that changed before this call was read. Rejects when the signal aborts. */
  settled(signal: AbortSignal): Promise<void>;
}

/** A text with the numbers of its first and its last change that no read contains. */
interface Pending {
  readonly first: number;
  readonly last: number;
}

export function createPendingTexts(): PendingTexts {
  const pending = new Map<TextKey, Pending>();
  const waiting = new Set<{ readonly until: number; wake(): void }>();
  let count = 0;

  const release = (): void => {
    const firsts = [...pending.values()].map(({ first }) => first);
    const next = firsts.reduce((least, first) => Math.min(least, first), count + 1);
    for (const waiter of waiting) {
      if (waiter.until < next) waiter.wake();
    }
  };

  return {
    get isEmpty() {
      return pending.size === 0;
    },
    has: (key) => pending.has(key),
    add(key) {
      count++;
      pending.set(key, { first: pending.get(key)?.first ?? count, last: count });
    },
    take(limit) {
      const taken = [...pending].slice(0, limit);
      return {
        keys: taken.map(([key]) => key),
        done() {
          for (const [key, { last }] of taken) {
            const now = pending.get(key)?.last ?? last;
            pending.delete(key);
            // The text changed again during the read, which may not contain that change.
            if (now > last) pending.set(key, { first: last + 1, last: now });
          }
          release();
        },
      };
    },
    settled(signal) {
      if (pending.size === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const end = (finish: () => void): void => {
          waiting.delete(waiter);
          signal.removeEventListener('abort', stop);
          finish();
        };
        const stop = (): void => end(() => reject(signal.reason as Error));
        const waiter = { until: count, wake: () => end(resolve) };
        waiting.add(waiter);
        signal.addEventListener('abort', stop, { once: true });
        if (signal.aborted) stop();
      });
    },
  };
}
