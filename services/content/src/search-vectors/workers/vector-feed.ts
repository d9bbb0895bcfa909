import { type Logger, type Loop, startLoop } from '@knowledge/runtime';
import type { ChangeStream } from '../../domain/change-stream.js';
import { keyOfChange } from '../../search/index/changed-text.js';
import type { TextKey } from '../../search/index/search-text.js';
import type { TextVectors } from '../domain/text-vectors.js';
import type { VectorIndex } from '../domain/vector-index.js';
import type { TextVectorStore } from '../store/text-vectors.js';

/** Keeps the vectors in memory equal to those in the database, which one of the replicas computes. */
export interface VectorFeed {
  /** Whether some texts wait for their vectors. */
  readonly isWaiting: boolean;
  close(): Promise<void>;
}

export interface VectorFeedDependencies {
  readonly index: VectorIndex;
  readonly store: Pick<TextVectorStore, 'read' | 'next' | 'writtenSince' | 'lastWrite'>;
  readonly changeStream: Pick<ChangeStream, 'subscribe'>;
  readonly log: Logger;
}

const pauseMs = 1000;
const roundLimitMs = 300_000;
/** A write is visible some time after the time that it has. */
const lateMs = 5000;
/** A text that has no vectors after this time, for example because the endpoint is down, is not waited for. */
const waitMs = 60_000;
/** While the vectors of many texts arrive, no text is known to wait for its own. */
const arrivingMs = 2500;
const readAtOnce = 50;

/** Loads all vectors, and then those that were written since. A text that changes loses its vectors at once. */
export function startVectorFeed({ index, store, changeStream, log }: VectorFeedDependencies): VectorFeed {
  // The texts that changed, with the position of the change, which their vectors must contain.
  const changed = new Map<TextKey, { readonly position: number; readonly at: number; readonly isPublished: boolean }>();
  // What was written within the time that each round looks at again.
  const seen = new Map<TextKey, number>();
  let loads = 0;
  let isLoaded = false;
  let since = 0;
  let arrivedAt = Number.NEGATIVE_INFINITY;

  const put = (vectors: TextVectors): void => {
    const change = changed.get(vectors.key);
    if (change !== undefined && vectors.position < change.position) return;
    changed.delete(vectors.key);
    index.put(vectors);
  };

  const load = async (signal: AbortSignal): Promise<void> => {
    const mine = ++loads;
    index.clear();
    seen.clear();
    since = await store.lastWrite(signal);
    let part = await store.next(undefined, signal);
    while (part.length > 0 && mine === loads && !index.isFull) {
      for (const vectors of part) put(vectors);
      part = await store.next(part.at(-1)?.key, signal);
    }
    if (mine !== loads) return;
    isLoaded = true;
    log.info({ texts: index.size, bytes: index.bytes, isFull: index.isFull }, 'the vectors of texts are loaded');
  };

  const follow = async (signal: AbortSignal): Promise<void> => {
    const written = await store.writtenSince(since - lateMs, signal);
    const unknown = written.filter(({ key, writtenAt }) => seen.get(key) !== writtenAt);
    for (let from = 0; from < unknown.length; from += readAtOnce) {
      const keys = unknown.slice(from, from + readAtOnce).map(({ key }) => key);
      for (const vectors of await store.read(keys, signal)) put(vectors);
      arrivedAt = performance.now();
    }
    for (const { key, writtenAt } of unknown) seen.set(key, writtenAt);
    since = written.at(-1)?.writtenAt ?? since;
    for (const [key, writtenAt] of seen) if (writtenAt < since - lateMs) seen.delete(key);
  };

  const loop: Loop = startLoop({
    name: 'vector feed',
    pauseMs,
    roundLimitMs,
    log,
    async round(signal) {
      if (!isLoaded) await load(signal);
      await follow(signal);
      return !isLoaded;
    },
  });
  const unsubscribe = changeStream.subscribe({
    change(change) {
      const key = keyOfChange(change);
      if (key === undefined) return;
      index.remove(key);
      const isPublished = change.transition.to === 'published';
      changed.set(key, { position: change.position, at: performance.now(), isPublished });
    },
    reset() {
      loads++;
      isLoaded = false;
      changed.clear();
      index.clear();
      loop.kick();
    },
  });

  return {
    get isWaiting() {
      const now = performance.now();
      if (!isLoaded || now - arrivedAt < arrivingMs) return true;
      for (const { at, isPublished } of changed.values()) if (isPublished && now - at < waitMs) return true;
      return false;
    },
    async close() {
      unsubscribe();
      await loop.close();
    },
  };
}
