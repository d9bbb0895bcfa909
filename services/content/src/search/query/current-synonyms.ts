import { deferred, type Logger, startLoop } from '@knowledge/runtime';
import type { ChangeStream } from '../../domain/change-stream.js';
import type { SynonymWords } from '../../domain/search-words.js';

/** The groups of synonyms in memory. */
export type CurrentSynonyms = ReturnType<typeof holdSynonyms>;

interface CurrentSynonymsDependencies {
  /** Reads all groups, oldest first. */
  readonly list: (signal: AbortSignal) => Promise<readonly SynonymWords[]>;
  readonly changeStream: Pick<ChangeStream, 'subscribe'>;
  readonly log: Logger;
}

/** A change starts a read at once. After this pause, and longer ones, a read that failed is tried again. */
const retryMs = 1000;

/** Holds the groups in memory, and reads them again after each change of a group in any replica. */
export function holdSynonyms({ list, changeStream, log }: CurrentSynonymsDependencies) {
  let held: readonly SynonymWords[] = [];
  let isDue = true;
  let read = deferred();
  const loaded = deferred();
  const loop = startLoop({
    name: 'synonyms',
    pauseMs: retryMs,
    log,
    async round(signal) {
      if (!isDue) return false;
      isDue = false;
      try {
        held = await list(signal);
      } catch (error) {
        isDue = true;
        read.resolve();
        throw error;
      }
      loaded.resolve();
      // A change during the read leads to another one.
      if (!isDue) read.resolve();
      return isDue;
    },
  });
  const reload = (): void => {
    const before = read;
    read = deferred();
    void read.promise.then(before.resolve);
    isDue = true;
    loop.kick();
  };
  const unsubscribe = changeStream.subscribe({
    change: ({ subject }) => {
      if (subject === 'synonyms') reload();
    },
    reset: reload,
  });
  return {
    /** All groups, oldest first. The array stays the same until a group changes, so results can be kept with it. */
    current: () => held,
    /**
     * Resolves when no read is due, or when the due read has ended, even if it failed. A caller that caches results syncs
     * the change stream, awaits this, and then searches, so that no cached result has the old synonyms.
     */
    settled: () => read.promise,
    /** Resolves when the groups were read for the first time. */
    loaded: loaded.promise,
    async close() {
      unsubscribe();
      await loop.close();
    },
  };
}
