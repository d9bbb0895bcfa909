import { deferred, type Logger, orAbort, startLoop } from '@knowledge/runtime';
import type { Change, ChangeLog } from '../../domain/change-log.js';
import type { ChangeStream } from '../../domain/change-stream.js';
import { primaryLanguage } from '../analysis/stem.js';
import type { SearchEngine } from '../engine.js';
import type { CurrentSynonyms } from '../query/synonyms.js';
import {
  keyOfChange,
  type PublishedText,
  type PublishedTexts,
  searchTextOf,
  type TextKey,
} from '../texts/search-text.js';

export interface IndexFeedDependencies {
  readonly engine: SearchEngine;
  readonly texts: PublishedTexts;
  readonly synonyms: CurrentSynonyms;
  readonly changes: ChangeLog;
  readonly changeStream: ChangeStream;
  readonly log: Logger;
}

const batchSize = 50;
const logBatchSize = 500;
const retryMs = 250;
/** How often the engine is asked whether it still has the index, or whether another replica has filled it. */
const keepMs = 2000;
/** A round may read all German texts, so it may take long. */
const roundLimitMs = 300_000;

/** Keeps the index equal to the published texts. */
export type IndexFeed = ReturnType<typeof startIndexFeed>;

/** Fills the index, and then reads each changed text again. */
export function startIndexFeed({ engine, texts, synonyms, changes, changeStream, log }: IndexFeedDependencies) {
  const changed = createPendingTexts();
  let state: 'closed' | 'filling' | 'filled' = 'closed';
  let isOtherLog = false;
  /** The last text of the fill so far. */
  let last: TextKey | undefined;
  /** The index has every change up to this position of the log. */
  let reached = 0;
  let openedAt = 0;
  let keptAt = 0;
  let filling = deferred();
  const { promise: filled } = filling;

  const note = (change: Change) => {
    const key = keyOfChange(change);
    if (key === undefined) return;
    if (change.transition.to !== 'published') engine.withdraw(key);
    changed.add(key);
  };

  const learnFrom = (read: readonly PublishedText[]) => {
    for (const { entry } of read)
      if (primaryLanguage(entry.language) === 'de')
        engine.compounds.learn([entry.title, entry.summary, entry.body].join('\n'));
  };

  const learn = async (signal: AbortSignal) => {
    const { compounds } = engine;
    await orAbort(synonyms.loaded, signal);
    for (const { words } of synonyms.current()) compounds.learn(words.join('\n'));
    let after: TextKey | undefined;
    do {
      const part = await texts.nextGerman(after, signal);
      learnFrom(part);
      after = part.at(-1)?.key;
    } while (after !== undefined && !compounds.isFull);
  };

  /** Notes what changed since the index was written last. Resolves to whether the log still has all of it. */
  const catchUp = async (from: number, to: number, signal: AbortSignal) => {
    for (let position = from; position < to; ) {
      const missed = await changes.after(position, logBatchSize, signal);
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
    openedAt = performance.now();
    keptAt = 0;
    reached = position;
    last = undefined;
    if (position > 0 && !(await catchUp(position, head, signal))) isOtherLog = true;
    // The parts of compounds must be known before the first compound is prepared.
    else await learn(signal);
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
    log.info({ ...engine.size, ms: Math.round(performance.now() - openedAt) }, 'the search index is filled');
  };

  const lose = () => {
    if (state === 'filled') filling = deferred();
    state = 'closed';
  };

  const fill = async (signal: AbortSignal) => {
    const { position } = changeStream;
    const part = await texts.next(last, signal);
    await engine.write(part.map(searchTextOf), [], position, signal);
    last = part.at(-1)?.key;
    // The log may have been replaced meanwhile.
    if (last === undefined && state === 'filling') finish();
  };

  const follow = async (signal: AbortSignal) => {
    const { position } = changeStream;
    const { keys, done } = changed.take(batchSize);
    if (keys.length > 0) {
      const found = await texts.read(keys, signal);
      learnFrom(found);
      const there = new Set(found.map(({ key }) => key));
      const gone = keys.filter((key) => !there.has(key));
      await engine.write(found.map(searchTextOf), gone, position, signal);
    }
    done();
    if (keys.length < batchSize) reached = position;
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
      return state !== 'filled' || !changed.isEmpty;
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
      if (engine.isImmediate) await changed.settled(signal);
      return engine;
    },
    async close() {
      unsubscribe();
      await loop.close();
    },
  };
}

/** Keeps the texts that changed and are not read again yet. */
export function createPendingTexts() {
  /** With the numbers of the first and the last change of a text that no read contains. */
  const pending = new Map<TextKey, { readonly first: number; readonly last: number }>();
  let count = 0;
  let read = deferred();

  return {
    get isEmpty() {
      return pending.size === 0;
    },

    /** Notes a change of a text. */
    add(key: TextKey) {
      count++;
      pending.set(key, { first: pending.get(key)?.first ?? count, last: count });
    },

    /** At most this many of the texts that wait longest. `done` must be called after they were read. */
    take(limit: number) {
      const taken = [...pending].slice(0, limit);
      const done = () => {
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
    async settled(signal: AbortSignal) {
      const until = count;
      while ([...pending.values()].some(({ first }) => first <= until)) await orAbort(read.promise, signal);
    },
  };
}
