import { setMaxListeners } from 'node:events';
import { deadlineIn, deadlineSignal, type Logger } from '@knowledge/runtime';
import { createConcurrencyLimit } from '@knowledge/runtime/watch';
import { LRUCache } from 'lru-cache';
import { type Breaker, createBreaker } from './breaker.js';
import type { Embedder } from './embedder.js';

/** What came of a search's question for its vector. */
export type AskOutcome = 'answered' | 'cached' | 'late' | 'failed' | 'not_asked';

/** The vectors of queries. A query without one is ranked by its words. */
export interface QueryVectors {
  /** Resolves to undefined if there is no vector in time. Never rejects. */
  of(query: string): Promise<Float32Array | undefined>;
  close(): void;
}

export interface QueryVectorsDependencies {
  readonly embedder: Embedder;
  /** How long a search waits. */
  readonly limitMs: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly onOutcome: (outcome: AskOutcome) => void;
  readonly breaker?: Breaker;
}

/** A call goes on for this long, so that the same search finds its vector the next time. */
const callMs = 2000;
const callsAtOnce = 8;
/** Some thousand vectors of usual length. */
const cacheBytes = 16_000_000;
const overheadBytes = 200;
/** A failure is logged at most this often. */
const logEveryMs = 60_000;

/** Asks for the vector of each query once, and remembers it. */
export function createQueryVectors({
  embedder,
  limitMs,
  log,
  onOutcome,
  breaker = createBreaker(),
}: QueryVectorsDependencies): QueryVectors {
  const cache = new LRUCache<string, Float32Array>({
    maxSize: cacheBytes,
    sizeCalculation: (vector, query) => vector.byteLength + 2 * query.length + overheadBytes,
  });
  const calls = new Map<string, Promise<Float32Array>>();
  const concurrency = createConcurrencyLimit(callsAtOnce);
  const stop = new AbortController();
  // Node warns above ten listeners, but every call listens.
  setMaxListeners(0, stop.signal);
  let loggedAt = Number.NEGATIVE_INFINITY;

  const call = async (query: string): Promise<Float32Array> => {
    const limit = deadlineSignal(deadlineIn(callMs), stop.signal);
    try {
      const [vector] = await concurrency.run(limit.signal, () => embedder.embed([query], limit.signal));
      if (vector === undefined) throw new Error('The embedder gave no vector.');
      cache.set(query, vector);
      return vector;
    } finally {
      limit.clear();
      calls.delete(query);
    }
  };

  const ask = (query: string): Promise<Float32Array> => {
    const running = calls.get(query) ?? call(query);
    calls.set(query, running);
    return running;
  };

  const fail = (outcome: 'late' | 'failed', error?: unknown): undefined => {
    onOutcome(outcome);
    breaker.failed();
    if (performance.now() - loggedAt >= logEveryMs) {
      loggedAt = performance.now();
      log.warn({ err: error, limitMs, outcome }, 'searches are ranked by words alone: no vector in time');
    }
    return undefined;
  };

  return {
    async of(query) {
      const known = cache.get(query);
      if (known !== undefined) {
        onOutcome('cached');
        return known;
      }
      if (stop.signal.aborted || !breaker.allows()) {
        onOutcome('not_asked');
        return undefined;
      }
      try {
        const vector = await within(ask(query), limitMs);
        if (vector === undefined) return fail('late');
        breaker.succeeded();
        onOutcome('answered');
        return vector;
      } catch (error) {
        return fail('failed', error);
      }
    },
    close: () => stop.abort(),
  };
}

/** Resolves to undefined when the time is over. */
function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
