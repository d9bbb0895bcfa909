import type { Logger } from '@knowledge/runtime';
import { startLoop } from '@knowledge/runtime';
import type { ChangeStream } from '../../domain/change-stream.js';
import type { SynonymWords } from './synonym.js';

/** The groups of synonyms in memory. */
export interface CurrentSynonyms {
  /** All groups, oldest first. The array stays the same until a group changes, so results can be kept with it. */
  current(): readonly SynonymWords[];
  /**
   * Resolves when no read is due, or when the due read has ended, even if it failed. A caller that caches results syncs
   * the change stream, awaits this, and then searches, so that no cached result has the old synonyms.
   */
  settled(): Promise<void>;
  /** Resolves when the groups were read for the first time. */
  readonly loaded: Promise<void>;
  close(): Promise<void>;
}

export interface CurrentSynonymsDependencies {
  /** Reads all groups, oldest first. */
  readonly list: (signal: AbortSignal) => Promise<readonly SynonymWords[]>;
  readonly changeStream: Pick<ChangeStream, 'subscribe'>;
  readonly log: Logger;
}

/** A change starts a read at once. After this pause, and longer ones, a read that failed is tried again. */
const retryMs = 1000;

/** Holds the groups in memory, and reads them again after each change of a group in any replica. */
export function holdSynonyms({ list, changeStream, log }: CurrentSynonymsDependencies): CurrentSynonyms {
  let held: readonly SynonymWords[] = [];
  let state: 'due' | 'reading' | 'read' | 'failing' = 'due';
  const waiting: (() => void)[] = [];
  let begun = (): void => undefined;
  const loaded = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const release = (): void => {
    for (const wake of waiting.splice(0)) wake();
  };
  const loop = startLoop({
    name: 'synonyms',
    pauseMs: retryMs,
    log,
    async round(signal) {
      if (state === 'read') return false;
      state = 'reading';
      try {
        held = await list(signal);
      } catch (error) {
        state = 'failing';
        release();
        throw error;
      }
      begun();
      // A change during the read leads to another one.
      if (isDue()) return true;
      state = 'read';
      release();
      return false;
    },
  });
  const isDue = (): boolean => state === 'due';
  const reload = (): void => {
    state = 'due';
    loop.kick();
  };
  const unsubscribe = changeStream.subscribe({
    change: ({ subject }) => {
      if (subject === 'synonyms') reload();
    },
    reset: reload,
  });
  return {
    current: () => held,
    settled: () =>
      state === 'read' || state === 'failing'
        ? Promise.resolve()
        : new Promise((resolve) => void waiting.push(resolve)),
    loaded,
    async close() {
      unsubscribe();
      await loop.close();
    },
  };
}
