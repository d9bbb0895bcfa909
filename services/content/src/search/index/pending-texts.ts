import { deferred, orAbort } from '@knowledge/runtime';
import type { TextKey } from '../texts/search-text.js';

/** Keeps the texts that changed and are not read again yet. */
export function createPendingTexts() {
  /** With the numbers of the first and the last change of a text that no read contains. */
  const pending = new Map<TextKey, { readonly first: number; readonly last: number }>();
  let count = 0;
  let read = deferred();

  return {
    get isEmpty(): boolean {
      return pending.size === 0;
    },

    /** Notes a change of a text. */
    add(key: TextKey): void {
      count++;
      pending.set(key, { first: pending.get(key)?.first ?? count, last: count });
    },

    /** At most this many of the texts that wait longest. `done` must be called after they were read. */
    take(limit: number) {
      const taken = [...pending].slice(0, limit);
      const done = (): void => {
        for (const [key, { last }] of taken) {
          const now = pending.get(key)?.last ?? last;
          pending.delete(key);
          // The text changed again during the read, which may not contain that change.
          if (now > last) pending.set(key, { first: last + 1, last: now });
        }
        read.resolve();
        read = deferred();
      };
      return { keys: taken.map(([key]) => key), done };
    },

    /** Resolves when every text that changed before this call was read. Rejects when the signal aborts. */
    async settled(signal: AbortSignal): Promise<void> {
      const until = count;
      while ([...pending.values()].some(({ first }) => first <= until)) await orAbort(read.promise, signal);
    },
  };
}
