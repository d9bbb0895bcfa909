import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { deferred, type Logger, orAbort, startLoop } from '@knowledge/runtime';
import pLimit from 'p-limit';
import type { Change } from '../../domain/change.js';
import type { ChangeLog } from '../../domain/change-log.js';
import type { ChangeStream } from '../../domain/change-stream.js';
import { type Compounds, createCompounds } from '../analysis/compounds.js';
import { keyOfChange } from '../index/changed-text.js';
import { learnWords } from '../index/learn-words.js';
import type { Glosses, IndexedBlocks, PublishedTexts, SearchIndex, SettledIndex, Synonyms } from '../index/ports.js';
import { searchTextOf, type TextKey } from '../index/search-text.js';
import { createArrivedChanges } from './arrived-changes.js';
import { fillIndex } from './fill-index.js';
import type { IndexState, IndexStore } from './index-store.js';
import { readBlocks } from './kept-blocks.js';
import { KnownWords } from './known-words.js';
import { startMergeLoop } from './merge-loop.js';
import { type IndexedText, newTextOf } from './new-text.js';
import { type RecentText, RecentTexts, recentText } from './recent-texts.js';
import { ScoreRoom } from './score-room.js';
import type { Step, StepText } from './step.js';
import { StoredWords } from './stored-words.js';
import { TextTable } from './text-table.js';
import { fieldLengths, writtenWord } from './text-words.js';
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

/** The way in which words are prepared, and the form of the documents. A larger number fills every stored index again. */
const indexVersion = 5;

const pauseMs = 500;
const roundLimitMs = 6 * 3_600_000;
const stepLimitMs = 10_000;
/** At most this many texts and changes are in a step, which is one document. */
const stepTexts = 10;
const stepChanges = 500;
/** How long a replica waits for the one that made a change. If it took over earlier, both would only hinder each other. */
const patience = { turns: 60, ms: 5 };
/** The number of texts that are read together after a merge was faster. */
const mostOvertaken = 100;

/**
 * Opens the stored index. Every replica follows the log of changes and tries to bring the index forward by a step; the position
 * in the state lets one of them succeed. So no replica waits for another, and none is the leader. Steps are merged later.
 */
export function openStoredIndex(deps: StoredIndexDependencies): StoredIndex {
  const { store, texts, glosses, synonyms, changeStream, log, isOwn, onLost, onReady, knownBytes } = deps;
  const { steps } = store;
  const owner = randomUUID();
  const changes = createArrivedChanges(deps.changes);
  const waiting = new Set<{ readonly position: number; wake(): void }>();
  let table = new TextTable();
  let vocabulary = createVocabulary();
  let compounds = createCompounds();
  let known = new KnownWords(knownBytes);
  let recent = new RecentTexts();
  let isLoaded = false;
  let fill = '';
  /** Whether this process has stored the last step. */
  let isFirst = false;
  /** Every change up to here is in the table; every text is in a step or merged up to there. */
  let covered = 0;
  let stored = 0;
  /** Searches see every change up to here. After `covered` come only withdrawals and what is not about texts. */
  let seen = 0;
  /** Texts that left the table in the moment of their withdrawal, before a step. */
  const withdrawn = new Map<TextKey, { readonly number: number; readonly bytes: number }>();

  const release = (): void => {
    for (const waiter of waiting) if (isLoaded && seen >= waiter.position) waiter.wake();
  };

  // Nobody waits for the database until a withdrawn text is gone.
  const see = (change: Change): void => {
    if (!isLoaded) return;
    const key = keyOfChange(change);
    const isWithdrawn = change.transition.to !== 'published';
    if (key !== undefined && isWithdrawn) withdraw(key, change.position);
    if (change.position !== seen + 1 || (key !== undefined && !isWithdrawn)) return;
    seen = change.position;
    release();
  };

  const withdraw = (key: TextKey, position: number): void => {
    const number = table.facts.numberOf(key);
    if (number === undefined) return;
    withdrawn.set(key, { number, bytes: table.bytesOf(number) });
    table.remove(key);
    const gone = new Map([[number, undefined]]);
    known.change(gone);
    recent.put(gone, position);
  };

  const lose = (): void => {
    isLoaded = false;
    onLost?.();
  };

  /** Reads the steps that are not merged; undefined if a merge came between. */
  const unmerged = async (state: IndexState, signal: AbortSignal): Promise<readonly Step[] | undefined> => {
    const merged = await steps.merged(signal);
    const found: Step[] = [];
    let end = merged?.position ?? 0;
    for (let part = await steps.next(state.fill, end, signal); part.length > 0; ) {
      found.push(...part);
      end = part.at(-1)?.to ?? end;
      part = await steps.next(state.fill, end, signal);
    }
    if (merged?.fill === state.fill && end >= state.position) return found;
    const [now, mergedNow] = [await store.state(signal), await steps.merged(signal)];
    // Nothing came between, so somebody has deleted steps.
    if (now?.fill === state.fill && mergedNow?.position === merged?.position)
      await store.restart(now, indexVersion, signal);
    return undefined;
  };

  const load = async (state: IndexState, signal: AbortSignal): Promise<void> => {
    const startedAt = performance.now();
    // Before the texts, which may have later steps in them. The log then tells which of them to read again.
    const waitingSteps = await unmerged(state, signal);
    if (waitingSteps === undefined) return loop.kick();
    const learnt = { table: new TextTable(), vocabulary: createVocabulary(), compounds: createCompounds() };
    for await (const part of store.texts(signal)) for (const each of part) learnt.table.put(each);
    for await (const part of store.terms(signal)) for (const term of part) learnTerm(term, learnt);
    ({ table, vocabulary, compounds } = learnt);
    known = new KnownWords(knownBytes);
    recent = new RecentTexts();
    fill = state.fill;
    isFirst = false;
    withdrawn.clear();
    await orAbort(synonyms.loaded, signal);
    learnWords(synonyms, compounds);
    covered = waitingSteps[0]?.from ?? state.position;
    stored = covered;
    for (const step of waitingSteps) take(step);
    seen = covered;
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
      // The index of a newer release has a form that this one does not know.
    } else if (state.version > indexVersion) onLost?.();
    else if (state.isFilled) await load(state, signal);
    else await fillIndex({ ...deps, owner, signal });
  };

  /** The text as the database has it. */
  const knownText = (key: TextKey): { readonly number: number; readonly bytes: number } | undefined => {
    const number = table.facts.numberOf(key);
    return number === undefined ? withdrawn.get(key) : { number, bytes: table.bytesOf(number) };
  };

  /** Prepares a step to the texts as they are now. */
  const prepareStep = async (keys: readonly TextKey[], to: number, signal: AbortSignal) => {
    const [found, glossOf] = await Promise.all([texts.read(keys, signal), glosses.of(keys, signal)]);
    const published = new Map(found.map((text) => [text.key, text]));
    const added = keys.filter((key) => published.has(key) && knownText(key) === undefined);
    const numbers = new Map(table.freeNumbers(added.length).map((number, at) => [added[at], number]));
    const changed: StepText[] = [];
    let growth = 0;
    for (const key of keys) {
      const text = published.get(key);
      const after = text && newTextOf(searchTextOf(text, glossOf.get(key)), compounds);
      const known = knownText(key);
      const number = numbers.get(key) ?? known?.number;
      if (number === undefined) continue;
      changed.push({ key, number, after });
      growth += (after?.bytes ?? 0) - (known?.bytes ?? 0);
      await setImmediate();
    }
    return { from: stored, to, texts: changed, growth };
  };

  /** Puts texts as they are at a position into what this process has of the index. */
  const change = (changed: readonly ChangedText[]): Map<number, RecentText | undefined> => {
    const byNumber = new Map<number, RecentText | undefined>();
    for (const { key } of changed) {
      const before = knownText(key);
      if (before !== undefined) byNumber.set(before.number, undefined);
      withdrawn.delete(key);
      table.remove(key);
    }
    for (const { number, after } of changed) {
      const text = after && recentText(after.words);
      byNumber.set(number, text);
      if (after === undefined || text === undefined) continue;
      table.put({ number, facts: after.facts, lengths: fieldLengths(after.words), bytes: after.bytes });
      for (const term of text.counts.keys()) learnTerm(term, { vocabulary, compounds });
    }
    known.change(byNumber);
    return byNumber;
  };

  const take = ({ to, texts: changed }: Step): void => {
    recent.put(change(changed), to);
    stored = to;
    covered = Math.max(covered, to);
    merging.offer();
  };

  /** Takes the steps of other replicas. Resolves to whether there were any. */
  const takeSteps = async (signal: AbortSignal): Promise<boolean> => {
    const next = await steps.next(fill, stored, signal);
    for (const step of next) take(step);
    if (next.length > 0) isFirst = false;
    return next.length > 0;
  };

  /** Reads the changed texts again if the next steps are merged already. Resolves to whether they were. */
  const passMerged = async (signal: AbortSignal): Promise<boolean> => {
    const merged = await steps.merged(signal);
    if (merged?.fill !== fill || merged.position <= stored) return false;
    recent.drop(merged.position);
    const entries = await changes.after(covered, stepChanges, signal);
    const { keys, to } = cut(
      entries.filter(({ position }) => position <= merged.position),
      mostOvertaken,
    );
    const found = new Map((await store.read([...keys], signal)).map((text) => [text.facts.key, text]));
    const changed = [...keys].flatMap((key): ChangedText[] => {
      const after = found.get(key);
      const number = after?.number ?? knownText(key)?.number;
      return number === undefined ? [] : [{ key, number, after }];
    });
    change(changed);
    covered = Math.max(covered, to);
    stored = covered < merged.position && to > 0 ? covered : merged.position;
    return true;
  };

  /** Waits a moment for the replica that made these changes, so that not all replicas prepare every text. */
  const awaitOthers = async (signal: AbortSignal): Promise<boolean> => {
    if ((await takeSteps(signal)) || (await passMerged(signal))) return true;
    for (let turn = 0; turn < patience.turns; turn++) {
      await setTimeout(patience.ms, undefined, { signal });
      if (await takeSteps(signal)) return true;
    }
    return false;
  };

  const follow = async (signal: AbortSignal): Promise<void> => {
    const { keys, to } = cut(await changes.after(covered, stepChanges, signal), stepTexts);
    if (keys.size === 0) covered = Math.max(covered, to);
    else if ([...keys].some(isOwn) || !(await awaitOthers(signal))) {
      await merging.room(signal);
      const step = await prepareStep([...keys], to, signal);
      if (await steps.append(fill, step, signal)) {
        take(step);
        isFirst = true;
      } else if (!(await takeSteps(signal)) && !(await passMerged(signal))) return lose();
    }
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
  const merging = startMergeLoop(steps, () => (isLoaded ? { fill, recent, isFirst } : undefined), log);
  const unsubscribe = changeStream.subscribe({
    change(change) {
      changes.note(change);
      see(change);
      loop.kick();
    },
    // The log was replaced, so the index may have another state too.
    reset() {
      changes.clear();
      isLoaded = false;
      loop.kick();
    },
  });

  const run: SettledIndex['ask'] = async ({ read, rank, page }, signal) => {
    signal.throwIfAborted();
    const room = new ScoreRoom();
    const index = new StoredWords({ table, vocabulary, compounds, store, known, room, recent });
    try {
      const words = await untilComplete(index, () => read(index), signal);
      const ranked = await untilComplete(index, () => rank(index, words), signal);
      return await untilComplete(index, () => page(index, ranked), signal);
    } finally {
      room.giveBack();
    }
  };
  const turns = pLimit(atOnce);
  const ask: SettledIndex['ask'] = (steps, signal) => orAbort(turns(run, steps, signal), signal);

  const blocks: SettledIndex['blocks'] = async (keys, signal) => {
    const numbers = new Map<number, TextKey>();
    for (const key of keys) {
      const number = table.facts.numberOf(key);
      // The database has another revision, or another text, under a number that changed lately.
      if (number !== undefined && !recent.current.has(number)) numbers.set(number, key);
    }
    const shown = numbers.size === 0 ? [] : await store.shown([...numbers.keys()], signal);
    return new Map(
      Array.from(shown, ([number, text]): [TextKey, IndexedBlocks] => [
        numbers.get(number) as TextKey,
        { revision: text.revision, blocks: () => readBlocks(text, text) },
      ]),
    );
  };

  return {
    get size() {
      return table.facts.size;
    },
    get bytes() {
      return table.bytes + vocabulary.size * bytesPerTerm + known.bytes + recent.bytes;
    },
    async settled(signal) {
      const position = await changeStream.sync();
      if (isLoaded && seen >= position) return { ask, blocks };
      const { promise, resolve } = deferred();
      const waiter = { position, wake: resolve };
      waiting.add(waiter);
      loop.kick();
      await orAbort(promise, signal).finally(() => waiting.delete(waiter));
      return { ask, blocks };
    },
    async close() {
      unsubscribe();
      await Promise.all([loop.close(), merging.close()]);
    },
  };
}

interface ChangedText extends Pick<StepText, 'key' | 'number'> {
  readonly after: IndexedText | undefined;
}

const bytesPerTerm = 100;
/** Searches beyond these wait for their turn. One can compute while another reads; more would only need more memory. */
const atOnce = 2;

/** The texts of the first of these changes, and the position of the last one taken, or 0. */
function cut(
  entries: readonly Change[],
  mostTexts: number,
): { readonly keys: ReadonlySet<TextKey>; readonly to: number } {
  const keys = new Set<TextKey>();
  let to = 0;
  for (const entry of entries) {
    const key = keyOfChange(entry);
    if (key !== undefined && !keys.has(key) && keys.size === mostTexts) break;
    if (key !== undefined) keys.add(key);
    to = entry.position;
  }
  return { keys, to };
}

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
