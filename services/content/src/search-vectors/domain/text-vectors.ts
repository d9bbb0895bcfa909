import type { TextKey } from '../../search/index/search-text.js';

/** The vectors of a text, each of length 1, from one embedding model. */
export interface TextVectors {
  readonly key: TextKey;
  /** Those of the title with the summary, and of the gloss. */
  readonly heads: readonly Float32Array[];
  /** Those of the passages of the body. */
  readonly passages: readonly Float32Array[];
  /** The text has every change up to this position of the change log. */
  readonly position: number;
}

/** The largest number of dimensions. Usual models have 256 to 3072. */
export const maxDimensions = 4096;

/** The similarity of a query with a text: half by its head, half by its closest passage. */
export function similarityOf(heads: readonly number[], passages: readonly number[]): number {
  const head = Math.max(...heads);
  return passages.length === 0 ? head : (head + Math.max(...passages)) / 2;
}
