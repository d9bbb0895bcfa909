import type { TextKey } from '../../search/index/search-text.js';
import type { Meanings } from '../../search/ranking/closeness.js';
import { closenessOf } from './closeness.js';
import type { QueryVectors } from './query-vectors.js';
import type { TextVectors } from './text-vectors.js';
import { compareWith, type VectorIndex } from './vector-index.js';

export interface MeaningsDependencies {
  readonly index: VectorIndex;
  readonly queries: Pick<QueryVectors, 'of'>;
  /** Reads the vectors of texts for which the index has no room. */
  readonly read: (keys: readonly TextKey[], signal: AbortSignal) => Promise<readonly TextVectors[]>;
  /** Whether texts wait for their vectors. */
  readonly isWaiting: () => boolean;
}

/** Compares queries with the vectors in memory, and the best texts by words with those in the database. */
export function createMeanings({ index, queries, read, isWaiting }: MeaningsDependencies): Meanings {
  const further = async (
    vector: Float32Array,
    keys: readonly TextKey[],
    signal: AbortSignal,
  ): Promise<Map<TextKey, number>> => {
    const missing = keys.filter((key) => !index.has(key));
    const found = missing.length === 0 ? [] : await read(missing, signal);
    const similarities = new Map<TextKey, number>();
    for (const text of found) {
      const similarity = compareWith(vector, text);
      if (similarity !== undefined) similarities.set(text.key, similarity);
    }
    return similarities;
  };

  return {
    async compare(query, best, signal) {
      const vector = index.size === 0 ? undefined : await queries.of(query.trim());
      if (vector === undefined) return undefined;
      try {
        const others = index.isFull ? await further(vector, await best(), signal) : new Map<TextKey, number>();
        const all = await index.compare(vector);
        return all && closenessOf(all, others);
      } catch {
        // The search goes on by words, and fails by itself if the database is down.
        return undefined;
      }
    },
    get isWaiting() {
      return isWaiting();
    },
  };
}
