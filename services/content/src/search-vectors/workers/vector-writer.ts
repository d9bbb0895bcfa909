import { setImmediate } from 'node:timers/promises';
import { deadlineIn, deadlineSignal, type Logger, type Loop, startLoop } from '@knowledge/runtime';
import type { ChangeStream } from '../../domain/change-stream.js';
import { keyOfChange } from '../../search/index/changed-text.js';
import type { Glosses, PublishedTexts } from '../../search/index/ports.js';
import { type PublishedText, searchTextOf, type TextKey } from '../../search/index/search-text.js';
import { type Embedder, EmbeddingsError } from '../domain/embedder.js';
import { hashOf, piecesOf, type TextPieces } from '../domain/pieces.js';
import type { NewTextVectors, TextVectorStore } from '../store/text-vectors.js';
import type { WriterLease } from '../store/writer-lease.js';

export interface VectorWriterDependencies {
  readonly embedder: Embedder;
  readonly store: Pick<TextVectorStore, 'hashes' | 'nextKeys' | 'put' | 'remove'>;
  readonly lease: WriterLease;
  readonly texts: Pick<PublishedTexts, 'read' | 'next'>;
  readonly glosses: Glosses;
  readonly changeStream: Pick<ChangeStream, 'subscribe' | 'sync' | 'syncWhenFollowing'>;
  readonly log: Logger;
  readonly onOutcome: (outcome: WriteOutcome, texts: number) => void;
}

/** What came of a text: its vectors were computed, or the endpoint refused it. */
export type WriteOutcome = 'computed' | 'skipped';

/** The pause of a process that does not hold the lease, and of one that has nothing to do. */
const pauseMs = 2000;
const roundLimitMs = 300_000;
/** The pieces of one call, each of at most 800 characters or a head. */
const piecesAtOnce = 32;
const callMs = 30_000;
const textsAtOnce = 50;
/** All texts are compared again after this time, for what was skipped, or was computed while it changed. */
const sweepEveryMs = 24 * 3_600_000;

interface Job extends TextPieces {
  readonly key: TextKey;
  readonly hash: string;
}

/** Where a comparison of all texts with their vectors stands. */
type Sweep =
  | { readonly phase: 'texts'; readonly after: TextKey | undefined }
  | { readonly phase: 'vectors'; readonly after: TextKey | undefined };

/**
 * Computes the vectors of texts that have none of this model, one process at a time. A process that takes the lease first
 * compares all texts with their vectors; then it follows the changes.
 */
export function startVectorWriter(deps: VectorWriterDependencies): Loop {
  const { embedder, store, lease, texts, glosses, changeStream, log, onOutcome } = deps;
  const changed = new Set<TextKey>();
  let isHolder = false;
  let sweep: Sweep | undefined;
  let sweptAt = 0;

  /** Computes what is missing. Returns the texts that the endpoint refused. */
  const embed = async (jobs: readonly Job[], signal: AbortSignal): Promise<Map<TextKey, TextVectorsOf>> => {
    const pieces = jobs.flatMap(({ heads, passages }) => [...heads, ...passages]);
    const vectors: Float32Array[] = [];
    for (let from = 0; from < pieces.length; from += piecesAtOnce) {
      const limit = deadlineSignal(deadlineIn(callMs), signal);
      try {
        if (!(await lease.hold(limit.signal))) throw new Error('The lease of the vector writer is lost.');
        vectors.push(...(await embedder.embed(pieces.slice(from, from + piecesAtOnce), limit.signal)));
      } finally {
        limit.clear();
      }
    }
    if (new Set(vectors.map(({ length }) => length)).size > 1)
      throw new EmbeddingsError('bad_answer', 'The embeddings endpoint gives vectors of different lengths.');
    const next = (count: number): Float32Array[] => vectors.splice(0, count);
    return new Map(
      jobs.map(({ key, heads, passages }) => [key, { heads: next(heads.length), passages: next(passages.length) }]),
    );
  };

  /** Embeds texts one by one after a failure. One text that the endpoint refuses must not keep back the others. */
  const embedSingly = async (jobs: readonly Job[], signal: AbortSignal): Promise<Map<TextKey, TextVectorsOf>> => {
    const done = new Map<TextKey, TextVectorsOf>();
    for (const job of jobs) {
      try {
        for (const [key, vectors] of await embed([job], signal)) done.set(key, vectors);
      } catch (error) {
        // The endpoint works for others, or it is down.
        await embedder.embed(['test'], signal);
        if (!(error instanceof EmbeddingsError) || error.fault === 'unreachable') throw error;
        log.warn({ err: error, text: job.key }, 'a text has no vectors, and is found by its words alone');
        onOutcome('skipped', 1);
      }
    }
    return done;
  };

  const write = async (found: readonly PublishedText[], position: number, signal: AbortSignal): Promise<void> => {
    const keys = found.map(({ key }) => key);
    const [glossOf, hashes] = await Promise.all([glosses.of(keys, signal), store.hashes(keys, signal)]);
    const jobs: Job[] = [];
    for (const text of found) {
      const pieces = piecesOf(searchTextOf(text, glossOf.get(text.key)));
      const job = { key: text.key, hash: hashOf(pieces), ...pieces };
      if (hashes.get(text.key) !== job.hash) jobs.push(job);
      // Lets other calls run, since a long text takes tens of milliseconds.
      await setImmediate();
    }
    for (const batch of inBatches(jobs)) {
      const computed = await embed(batch, signal).catch((error: unknown) => {
        if (!(error instanceof EmbeddingsError) || error.fault === 'unreachable') throw error;
        return embedSingly(batch, signal);
      });
      const vectors = batch.flatMap(({ key, hash }): NewTextVectors[] => {
        const own = computed.get(key);
        return own === undefined ? [] : [{ key, hash, position, ...own }];
      });
      await store.put(vectors, signal);
      onOutcome('computed', vectors.length);
    }
  };

  const continueSweep = async ({ phase, after }: Sweep, signal: AbortSignal): Promise<Sweep | undefined> => {
    const position = await changeStream.sync();
    if (phase === 'texts') {
      const part = await texts.next(after, signal);
      await write(part, position, signal);
      return part.length === 0 ? { phase: 'vectors', after: undefined } : { phase, after: part.at(-1)?.key };
    }
    const keys = await store.nextKeys(after, signal);
    for (let from = 0; from < keys.length; from += textsAtOnce) {
      const some = keys.slice(from, from + textsAtOnce);
      const published = new Set((await texts.read(some, signal)).map(({ key }) => key));
      await store.remove(
        some.filter((key) => !published.has(key)),
        signal,
      );
    }
    return keys.length === 0 ? undefined : { phase, after: keys.at(-1) };
  };

  const follow = async (signal: AbortSignal): Promise<void> => {
    const keys = [...changed].slice(0, textsAtOnce);
    for (const key of keys) changed.delete(key);
    try {
      const position = await changeStream.sync();
      const found = await texts.read(keys, signal);
      const published = new Set(found.map(({ key }) => key));
      await store.remove(
        keys.filter((key) => !published.has(key)),
        signal,
      );
      await write(found, position, signal);
    } catch (error) {
      for (const key of keys) changed.add(key);
      throw error;
    }
  };

  const loop = startLoop({
    name: 'vector writer',
    pauseMs,
    roundLimitMs,
    log,
    async round(signal) {
      const wasHolder = isHolder;
      isHolder = await lease.hold(signal);
      if (!isHolder) {
        changed.clear();
        return false;
      }
      if (!wasHolder || performance.now() - sweptAt > sweepEveryMs) {
        await changeStream.syncWhenFollowing();
        sweep = { phase: 'texts', after: undefined };
        sweptAt = performance.now();
      }
      // Changes come first, since readers look for what is new.
      if (changed.size > 0) await follow(signal);
      else if (sweep !== undefined) sweep = await continueSweep(sweep, signal);
      return changed.size > 0 || sweep !== undefined;
    },
  });
  const unsubscribe = changeStream.subscribe({
    change(change) {
      const key = keyOfChange(change);
      if (key === undefined || !isHolder) return;
      changed.add(key);
      loop.kick();
    },
    reset() {
      isHolder = false;
      loop.kick();
    },
  });

  return {
    kick: loop.kick,
    async close() {
      unsubscribe();
      await loop.close();
      if (isHolder) await lease.release().catch(() => undefined);
    },
  };
}

type TextVectorsOf = Pick<NewTextVectors, 'heads' | 'passages'>;

/** Puts texts together until they fill a call. */
function inBatches(jobs: readonly Job[]): Job[][] {
  const batches: Job[][] = [];
  let pieces = Number.POSITIVE_INFINITY;
  for (const job of jobs) {
    const own = job.heads.length + job.passages.length;
    if (pieces + own > piecesAtOnce) {
      batches.push([]);
      pieces = 0;
    }
    batches.at(-1)?.push(job);
    pieces += own;
  }
  return batches;
}
