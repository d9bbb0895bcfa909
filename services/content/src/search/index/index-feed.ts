import { deferred, type Logger, orAbort, startLoop } from '@knowledge/runtime';
import type { Change, ChangeLog } from '../../changes/log.js';
import type { ChangeStream } from '../../changes/stream.js';
import type { SearchEngine } from '../engine.js';
import { keyOfChange, type PublishedTexts, searchTextOf, type TextKey } from '../texts/search-text.js';

export interface IndexFeedParts {
  readonly engine: SearchEngine;
  readonly texts: PublishedTexts;
  readonly changes: ChangeLog;
  readonly changeStream: Pick<ChangeStream, 'position' | 'subscribe' | 'sync' | 'syncWhenFollowing'>;
  readonly log: Logger;
}

const batchSize = 50;
/** How long a round of a fill begins new batches. Then it looks at what changed, and whether it still has the index. */
const fillMs = 1000;
const retryMs = 250;
/** How often the engine is asked whether it still has the index, or whether another replica has filled it. */
const keepMs = 2000;
/** A round may write a hundred of the longest texts. */
const roundLimitMs = 300_000;

/** Keeps the index equal to the published texts. */
export type IndexFeed = ReturnType<typeof startIndexFeed>;

/** Fills the index, and then reads each changed text again. */
export function startIndexFeed({ engine, texts, changes, changeStream, log }: IndexFeedParts) {
  /** The texts of the changes that the index lacks, oldest first. It grows only while nothing can be read or written. */
  const changed: TextKey[] = [];
  /** The number of the changes before them. */
  let followed = 0;
  let batch = deferred();
  let state: 'closed' | 'filling' | 'filled' = 'closed';
  let isOtherLog = false;
  /** The last text of the fill so far. */
  let last: TextKey | undefined;
  /** The index has every change up to this position of the log. */
  let reached = 0;
  let keptAt = 0;
  let filling = deferred();
  const { promise: filled } = filling;

  const note = (change: Change) => {
    const key = keyOfChange(change);
    if (key !== undefined) changed.push(key);
  };

  /** Notes what changed since the index was written last. Resolves to whether the log still has all of it. */
  const catchUp = async (from: number, to: number, signal: AbortSignal) => {
    for (let position = from; position < to; ) {
      const missed = await changes.after(position, batchSize, signal);
      if (missed[0]?.position !== position + 1) return false;
      for (const change of missed) note(change);
      position += missed.length;
    }
    return from <= to;
  };

  const open = async (signal: AbortSignal) => {
    const head = await orAbort(changeStream.syncWhenFollowing(), signal);
    const isOther = isOtherLog;
    const position = await engine.open(isOther, signal);
    if (position === undefined) return keepMs;
    if (isOther) isOtherLog = false;
    keptAt = 0;
    reached = position;
    last = undefined;
    if (position > 0 && !(await catchUp(position, head, signal))) isOtherLog = true;
    if (isOtherLog) return true;
    state = 'filling';
    if (position > 0) finish();
    return true;
  };

  const finish = () => {
    state = 'filled';
    // So that no other replica waits for this one.
    keptAt = 0;
    filling.resolve();
    log.info(engine.size, 'the search index is filled');
  };

  const lose = () => {
    if (state === 'filled') filling = deferred();
    state = 'closed';
  };

  const fill = async (signal: AbortSignal) => {
    const { position } = changeStream;
    let part = await texts.next(last, signal);
    const begun = performance.now();
    while (part.length > 0 && performance.now() - begun < fillMs) {
      const end = part.at(-1)?.key;
      // The database reads the next texts while these are prepared.
      const next = texts.next(end, signal);
      next.catch(() => {});
      await engine.write(part.map(searchTextOf), [], position, signal);
      last = end;
      part = await next;
    }
    // The log may have been replaced meanwhile.
    if (part.length === 0 && state === 'filling') finish();
  };

  const follow = async (signal: AbortSignal) => {
    const { position } = changeStream;
    const taken = changed.slice(0, batchSize);
    const keys = new Set(taken);
    const found = await texts.read([...keys], signal);
    for (const { key } of found) keys.delete(key);
    await engine.write(found.map(searchTextOf), [...keys], position, signal);
    changed.splice(0, taken.length);
    followed += taken.length;
    if (taken.length < batchSize) reached = position;
    batch.resolve();
    batch = deferred();
  };

  /** Whether the engine still has the index. */
  const keep = async (signal: AbortSignal) => {
    if (performance.now() - keptAt <= keepMs) return true;
    const isKept = await engine.keep(state === 'filled' ? reached : undefined, signal);
    if (isKept) keptAt = performance.now();
    else lose();
    return isKept;
  };

  const loop = startLoop({
    name: 'search index',
    pauseMs: retryMs,
    roundLimitMs,
    closeLimitMs: 0,
    log,
    async round(signal) {
      if (state === 'closed') return open(signal);
      if (!(await keep(signal))) return true;
      if (state === 'filling') await fill(signal);
      await follow(signal);
      return state !== 'filled' || changed.length > 0;
    },
  });
  const unsubscribe = changeStream.subscribe({
    change(change) {
      note(change);
      loop.kick();
    },
    reset() {
      isOtherLog = true;
      lose();
      loop.kick();
    },
  });

  return {
    /** Resolves when the index was filled for the first time. */
    filled,
    /**
     * Resolves when the index is filled, and an engine in memory has every change that was acknowledged before this call. Rejects when
     * the signal aborts.
     */
    async settled(signal: AbortSignal) {
      await changeStream.sync();
      await orAbort(filling.promise, signal);
      if (!engine.isImmediate) return;
      const until = followed + changed.length;
      while (followed < until) await orAbort(batch.promise, signal);
    },
    async close() {
      unsubscribe();
      await loop.close();
    },
  };
}
