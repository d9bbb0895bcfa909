import type { TextKey } from '../../search/index/search-text.js';
import type { Closeness } from '../../search/ranking/closeness.js';

/**
 * Compares each similarity with those of all texts, in standard deviations above their mean. Models differ in how
 * similar any two texts are to them, so a similarity alone says little.
 *
 * @param all the similarities from which mean and deviation are computed
 * @param further those of other texts
 */
export function closenessOf(all: ReadonlyMap<TextKey, number>, further: ReadonlyMap<TextKey, number>): Closeness {
  let sum = 0;
  let squares = 0;
  for (const similarity of all.values()) {
    sum += similarity;
    squares += similarity * similarity;
  }
  const mean = sum / all.size;
  const deviation = Math.sqrt(Math.max(0, squares / all.size - mean * mean));
  // A few texts have no distribution.
  if (all.size < leastTexts || deviation < 1e-6) return new Map();
  const closeness = new Map<TextKey, number>();
  for (const similarities of [all, further]) {
    for (const [key, similarity] of similarities) {
      if (similarity > mean) closeness.set(key, (similarity - mean) / deviation);
    }
  }
  return closeness;
}

const leastTexts = 3;
