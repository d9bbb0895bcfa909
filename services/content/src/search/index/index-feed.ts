import { setImmediate } from 'node:timers/promises';
import { deferred, type Logger, type Loop, orAbort, startLoop } from '@knowledge/runtime';
import type { ChangeStream } from '../../domain/change-stream.js';
import { keyOfChange } from './changed-text.js';
import { learnWords } from './learn-words.js';
import { createPendingTexts } from './pending-texts.js';
import type { Glosses, IndexedBlocks, PublishedTexts, SearchIndex, Synonyms } from './ports.js';
import { learnCompounds } from './prepare.js';
import { type SearchText, searchTextOf, type TextKey } from './search-text.js';
import type { TextIndex } from './text-index.js';

/** Keeps the index equal to the published texts. */
export interface IndexFeed extends SearchIndex {
  /** Resolves when the index was filled for the first time. */
  readonly filled: Promise<void>;
  close(): Promise<void>;
}

export interface IndexFeedDependencies {
  readonly index: TextIndex;
  readonly texts: PublishedTexts;
  readonly glosses: Glosses;
  readonly synonyms: Synonyms;
  readonly changeStream: ChangeStream;
  readonly log: Logger;
  /** Called once, when the texts need more memory than the index may have. */
  readonly onFull?: () => void;
}

const batchSize = 50;
const retryMs = 250;
/** A fill reads every text, so it may take long. Other rounds read a batch. */
const roundLimitMs = 300_000;

/** Fills the index, and then reads each changed text again. A text that is withdrawn leaves the index at once. */
export function startIndexFeed({
  index,
  texts,
  glosses,
  synonyms,
  changeStream,
  log,
  onFull,
}: IndexFeedDependencies): IndexFeed {
  const changed = createPendingTexts();
  let isFilled = false;
  let fills = 0;
  let filling = deferred();
  const { promise: filled } = filling;

  const read = async (keys: readonly TextKey[], signal: AbortSignal): Promise<SearchText[]> => {
    const [found, glossOf] = await Promise.all([texts.read(keys, signal), glosses.of(keys, signal)]);
    return found.map((text) => searchTextOf(text, glossOf.get(text.key)));
  };

  let wasFull = false;
  const put = (text: SearchText): void => {
    index.put(text);
    if (!index.isFull || wasFull) return;
    wasFull = true;
    onFull?.();
  };

  const learn = async (signal: AbortSignal): Promise<void> => {
    await orAbort(synonyms.loaded, signal);
    learnWords(synonyms, index.compounds);
    let part = await texts.nextGerman(undefined, signal);
    while (part.length > 0) {
      for (const text of part) learnCompounds(text.entry, index.compounds);
      part = await texts.nextGerman(part.at(-1)?.key, signal);
    }
  };

  const fill = async (signal: AbortSignal): Promise<void> => {
    await orAbort(changeStream.syncWhenFollowing(), signal);
    const mine = ++fills;
    const startedAt = performance.now();
    index.clear();
    // The parts of compounds must be known before the first compound is prepared.
    await learn(signal);
    let part = await texts.next(undefined, signal);
    while (part.length > 0) {
      const keys = part.map(({ key }) => key);
      const glossOf = await glosses.of(keys, signal);
      for (const text of part) {
        // A text that changed meanwhile is read again below.
        if (!changed.has(text.key)) put(searchTextOf(text, glossOf.get(text.key)));
        // Lets other calls run, since a long text takes tens of milliseconds.
        await setImmediate();
      }
      part = await texts.next(part.at(-1)?.key, signal);
    }
    // The log was replaced during the fill.
    if (mine !== fills) return;
    isFilled = true;
    filling.resolve();
    const ms = Math.round(performance.now() - startedAt);
    const { size, bytes, leftOut } = index;
    log.info({ texts: size, bytes, leftOut, ms }, 'the search index in memory is filled');
  };

  const follow = async (signal: AbortSignal): Promise<void> => {
    const { keys, done } = changed.take(batchSize);
    if (keys.length === 0) return;
    const found = new Map((await read(keys, signal)).map((text) => [text.key, text]));
    for (const key of keys) {
      const text = found.get(key);
      if (text === undefined) index.remove(key);
      else put(text);
      await setImmediate();
    }
    done();
  };

  const loop: Loop = startLoop({
    name: 'search index',
    pauseMs: retryMs,
    roundLimitMs,
    closeLimitMs: 0,
    log,
    async round(signal) {
      if (!isFilled) await fill(signal);
      await follow(signal);
      return !(isFilled && changed.isEmpty);
    },
  });
  const unsubscribe = changeStream.subscribe({
    change(change) {
      const key = keyOfChange(change);
      if (key === undefined) return;
      if (change.transition.to !== 'published') index.remove(key);
      changed.add(key);
      loop.kick();
    },
    reset() {
      fills++;
      if (isFilled) filling = deferred();
      isFilled = false;
      loop.kick();
    },
  });

  return {
    filled,
    async settled(signal) {
      await changeStream.sync();
      if (!isFilled) await orAbort(filling.promise, signal);
      await changed.settled(signal);
      return { ask: async ({ read, rank, page }) => page(index, rank(index, read(index))), blocks: noBlocks };
    },
    async close() {
      unsubscribe();
      await loop.close();
    },
  };
}

// Searches remember the blocks of texts that they showed, so this index keeps none.
const noBlocks = (): Promise<ReadonlyMap<TextKey, IndexedBlocks>> => Promise.resolve(new Map());
