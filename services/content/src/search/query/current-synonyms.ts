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

/** A change is read when a search asks for it, and else after this pause. A read that failed is tried again after it, and longer ones. */
const pauseMs = 1000;

/** Holds the groups in memory, and reads them again after changes in any replica, many of an import at once. */
export function holdSynonyms({ list, changeStream, log }: CurrentSynonymsDependencies) {
  let held: readonly SynonymWords[] = [];
  let due: 'change' | 'retry' | undefined = 'change';
  let read = deferred();
  const loaded = deferred();
  const loop = startLoop({
    name: 'synonyms',
    pauseMs,
    log,
    async round(signal) {
      if (due === undefined) return false;
      due = undefined;
      const { resolve } = read;
      try {
        held = await list(signal);
        loaded.resolve();
      } catch (error) {
        due ??= 'retry';
        throw error;
      } finally {
        resolve();
      }
      return false;
    },
  });
  const reload = (): void => {
    if (due === 'change') return;
    // Who asks from now on waits for a read that begins after this change.
    read = deferred();
    due = 'change';
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
    settled: () => {
      if (due === 'change') loop.kick();
      return read.promise;
    },
    /** Resolves when the groups were read for the first time. */
    loaded: loaded.promise,
    async close() {
      unsubscribe();
      await loop.close();
    },
  };
}
