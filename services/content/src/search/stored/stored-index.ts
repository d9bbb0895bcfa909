import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { deferred, type Logger, orAbort, startLoop } from '@knowledge/runtime';
import type { Change } from '../../domain/change.js';
import type { ChangeLog } from '../../domain/change-log.js';
import type { ChangeStream } from '../../domain/change-stream.js';
import { type Compounds, createCompounds } from '../analysis/compounds.js';
import { keyOfChange } from '../index/changed-text.js';
import { learnWords } from '../index/learn-words.js';
import type { Glosses, PublishedTexts, SearchIndex, SettledIndex, Synonyms } from '../index/ports.js';
import { searchTextOf, type TextKey } from '../index/search-text.js';
import { fillIndex } from './fill-index.js';
import type { ChangedText, IndexState, IndexStore } from './index-store.js';
import { KnownWords } from './known-words.js';
import { newTextOf } from './new-text.js';
import { ScoreRoom } from './score-room.js';
import { StoredWords } from './stored-words.js';
import { TextTable } from './text-table.js';
import { countTerms, type TextWords, writtenWord } from './text-words.js';
import { createVocabulary } from './vocabulary.js';

/** The index in the database, for more texts than memory has room for. */
export interface StoredIndex extends SearchIndex {
  readonly size: number;
  /** An estimate of the memory that this process needs for it. */
  readonly bytes: number;
  close(): Promise<void>;
}

export interface StoredIndexDependencies {
  readonly store: IndexStore;
  readonly texts: PublishedTexts;
  readonly glosses: Glosses;
  readonly synonyms: Synonyms;
  /** The memory for what queries have read. */
  readonly knownBytes: number;
  readonly changeStream: ChangeStream;
  readonly changes: Pick<ChangeLog, 'after'>;
  readonly log: Logger;
  /** Whether this process made a change of the text. It then brings the index forward at once. */
  readonly isOwn: (key: TextKey) => boolean;
  /** Called when the index must be filled again, and when it serves again. */
  readonly onLost?: () => void;
  readonly onReady?: () => void;
  readonly onFilled?: ((texts: number) => void) | undefined;
}

/** The way in which words are prepared. A larger number fills every stored index again. */
const indexVersion = 4;

const pauseMs = 500;
const roundLimitMs = 6 * 3_600_000;
const stepLimitMs = 10_000;
/** At most this many texts and changes are taken over in one transaction. */
const stepTexts = 20;
const stepChanges = 500;
/** How long a replica waits for the one that made a change. If it took over earlier, both would only hinder each other. */
const patience = { turns: 60, ms: 5 };

/**
 * Opens the stored index. Every replica follows the log of changes and tries to bring the index forward; the position in the
 * state lets one of them succeed. So no replica waits for another, and none is the leader.
 */
export function openStoredIndex(deps: StoredIndexDependencies): StoredIndex {
  const { store, texts, glosses, synonyms, changeStream, changes, log, isOwn, onLost, onReady, knownBytes } = deps;
  const owner = randomUUID();
  const waiting = new Set<{ readonly position: number; wake(): void }>();
  let table = new TextTable();
  let vocabulary = createVocabulary();
  let compounds = createCompounds();
  let known = new KnownWords(knownBytes);
  let isLoaded = false;
  /** Every change up to here is in the table, and every text of it in the database up to there. */
  let covered = 0;
  let stored = 0;
  /** Searches see every change up to here. After `covered` come only withdrawals and what is not about texts. */
  let seen = 0;
  /** Texts that left the table in the moment of their withdrawal, and are still in the database. */
  const withdrawn = new Map<TextKey, { readonly number: number; readonly bytes: number }>();

  const release = (): void => {
    for (const waiter of waiting) if (isLoaded && seen >= waiter.position) waiter.wake();
  };

  // Nobody waits for the database until a withdrawn text is gone.
  const see = (change: Change): void => {
    if (!isLoaded) return;
    const key = keyOfChange(change);
    const isWithdrawn = change.transition.to !== 'published';
    if (key !== undefined && isWithdrawn) withdraw(key);
    if (change.position !== seen + 1 || (key !== undefined && !isWithdrawn)) return;
    seen = change.position;
    release();
  };

  const withdraw = (key: TextKey): void => {
    const number = table.facts.numberOf(key);
    if (number === undefined) return;
    withdrawn.set(key, { number, bytes: table.bytesOf(number) });
    table.remove(key);
    known.change(new Map([[number, undefined]]));
  };

  const lose = (): void => {
    isLoaded = false;
    onLost?.();
  };

  const load = async (state: IndexState, signal: AbortSignal): Promise<void> => {
    const startedAt = performance.now();
    const learnt = { table: new TextTable(), vocabulary: createVocabulary(), compounds: createCompounds() };
    for await (const part of store.texts(signal)) for (const each of part) learnt.table.put(each);
    for await (const part of store.terms(signal)) for (const term of part) learnTerm(term, learnt);
    ({ table, vocabulary, compounds } = learnt);
    known = new KnownWords(knownBytes);
    await orAbort(synonyms.loaded, signal);
    learnWords(synonyms, compounds);
    covered = state.position;
    stored = state.position;
    seen = state.position;
    withdrawn.clear();
    isLoaded = true;
    const ms = Math.round(performance.now() - startedAt);
    log.info(
      { texts: table.facts.size, terms: vocabulary.size, bytes: table.bytes, ms },
      'search uses the stored index',
    );
    onReady?.();
  };

  const open = async (signal: AbortSignal): Promise<void> => {
    await orAbort(changeStream.syncWhenFollowing(), signal);
    const state = await store.state(signal);
    if (state === undefined || state.version < indexVersion || state.position > changeStream.position) {
      onLost?.();
      await store.restart(state, indexVersion, signal);
    } else if (state.isFilled) await load(state, signal);
    else await fillIndex({ ...deps, owner, signal });
  };

  /** The text as the database has it. */
  const knownText = (key: TextKey): { readonly number: number; readonly bytes: number } | undefined => {
    const number = table.facts.numberOf(key);
    return number === undefined ? withdrawn.get(key) : { number, bytes: table.bytesOf(number) };
  };

  /** Prepares texts as they are now; undefined for one that is not published. */
  const prepareAll = async (keys: readonly TextKey[], signal: AbortSignal): Promise<Map<TextKey, ChangedText>> => {
    const [found, glossOf] = await Promise.all([texts.read(keys, signal), glosses.of(keys, signal)]);
    const published = new Map(found.map((text) => [text.key, text]));
    const added = keys.filter((key) => published.has(key) && knownText(key) === undefined);
    const numbers = new Map(table.freeNumbers(added.length).map((number, at) => [added[at], number]));
    const changed = new Map<TextKey, ChangedText>();
    for (const key of keys) {
      const text = published.get(key);
      const after = text && newTextOf(searchTextOf(text, glossOf.get(key)), compounds);
      const known = knownText(key);
      const number = numbers.get(key) ?? known?.number;
      if (number !== undefined) changed.set(key, { number, bytesBefore: known?.bytes, after });
      await setImmediate();
    }
    return changed;
  };

  /** Waits a moment for the replica that made these changes, so that not all replicas prepare every text. */
  const awaitOthers = async (to: number, signal: AbortSignal): Promise<void> => {
    for (let turn = 0; turn < patience.turns && stored < to; turn++) {
      await setTimeout(patience.ms, undefined, { signal });
      const state = await store.state(signal);
      if (state?.isFilled && state.position > stored) stored = state.position;
    }
  };

  const refresh = async (keys: readonly TextKey[], signal: AbortSignal): Promise<void> => {
    const found = new Map((await store.read(keys, signal)).map((text) => [text.facts.key, text]));
    const changed = new Map<number, TextWords | undefined>();
    for (const key of keys) {
      const before = knownText(key);
      if (before !== undefined) changed.set(before.number, undefined);
    }
    for (const { number, words } of found.values()) changed.set(number, words);
    known.change(changed);
    for (const key of keys) {
      const text = found.get(key);
      withdrawn.delete(key);
      if (text === undefined) table.remove(key);
      else {
        table.put(text);
        for (const term of countTerms(text.words).keys()) learnTerm(term, { vocabulary, compounds });
      }
    }
  };

  const follow = async (signal: AbortSignal): Promise<void> => {
    const entries = await changes.after(covered, stepChanges, signal);
    const keys = new Set<TextKey>();
    let to = covered;
    for (const entry of entries) {
      const key = keyOfChange(entry);
      if (key !== undefined && !keys.has(key) && keys.size === stepTexts) break;
      if (key !== undefined) keys.add(key);
      to = entry.position;
    }
    if (keys.size > 0 && stored < to && ![...keys].some(isOwn)) await awaitOthers(to, signal);
    if (keys.size > 0 && stored < to) {
      const step = { from: stored, to, texts: await prepareAll([...keys], signal) };
      if (await store.advance(step, signal)) stored = to;
      else {
        const state = await store.state(signal);
        if (!state?.isFilled || state.version < indexVersion || state.position < stored) return lose();
        stored = state.position;
        if (stored < to) return;
      }
    }
    if (keys.size > 0) await refresh([...keys], signal);
    covered = to;
    seen = Math.max(seen, covered);
    release();
  };

  const loop = startLoop({
    name: 'stored search index',
    pauseMs,
    roundLimitMs,
    closeLimitMs: 0,
    log,
    async round(signal) {
      if (!isLoaded) await open(signal);
      while (isLoaded && covered < changeStream.position)
        await follow(AbortSignal.any([signal, AbortSignal.timeout(stepLimitMs)]));
      release();
      return false;
    },
  });
  const unsubscribe = changeStream.subscribe({
    change(change) {
      see(change);
      loop.kick();
    },
    // The log was replaced, so the index may have another state too.
    reset() {
      isLoaded = false;
      loop.kick();
    },
  });

  const ask: SettledIndex['ask'] = async ({ read, rank, page }, signal) => {
    const gone = new Set(Array.from(withdrawn.values(), ({ number }) => number));
    const room = new ScoreRoom();
    const index = new StoredWords({ table, vocabulary, compounds, store, known, room, withdrawn: gone });
    try {
      const words = await untilComplete(index, () => read(index), signal);
      const ranked = await untilComplete(index, () => rank(index, words), signal);
      return await untilComplete(index, () => page(index, ranked), signal);
    } finally {
      room.giveBack();
    }
  };

  return {
    get size() {
      return table.facts.size;
    },
    get bytes() {
      return table.bytes + vocabulary.size * bytesPerTerm + known.bytes;
    },
    async settled(signal) {
      const position = await changeStream.sync();
      if (isLoaded && seen >= position) return { ask };
      const { promise, resolve } = deferred();
      const waiter = { position, wake: resolve };
      waiting.add(waiter);
      loop.kick();
      await orAbort(promise, signal).finally(() => waiting.delete(waiter));
      return { ask };
    },
    async close() {
      unsubscribe();
      await loop.close();
    },
  };
}

const bytesPerTerm = 100;

async function untilComplete<T>(words: StoredWords, compute: () => T, signal: AbortSignal): Promise<T> {
  for (;;) {
    const result = compute();
    if (!words.isIncomplete) return result;
    await words.load(signal);
  }
}

function learnTerm(
  term: string,
  { vocabulary, compounds }: Record<'vocabulary', ReturnType<typeof createVocabulary>> & { compounds: Compounds },
): void {
  const written = writtenWord(term);
  if (written === undefined) vocabulary.learn(term);
  else compounds.learn(written);
}
