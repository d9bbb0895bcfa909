import type { AskedWord } from '../query/asked-word.js';
import type { FoundWord } from './word-places.js';

/**
 * Words that are neighbours in the query should stand near each other in the text. The score of a text grows by up to half.
 *
 * Gain in nDCG@10: CACM 0.005, LISA 0.015, NPL 0.001, Starlight 0.015, XQuAD de 0.003 and es 0.001, sample 0.003.
 */
export const nearnessGain = 0.5;

/** The largest distance, in words, at which two words still count as near. */
const farthest = 8;

/** Measures how near the neighbours are in a text, from 0 to 1, where all stand side by side. */
export function nearness(words: readonly AskedWord[], found: readonly FoundWord[]) {
  let sum = 0;
  let most = 0;
  for (let at = 1; at < words.length; at++) {
    const weight = Math.min(words[at - 1]?.rarity ?? 0, words[at]?.rarity ?? 0);
    most += weight;
    const distance = shortestDistance(found[at - 1]?.places ?? [], found[at]?.places ?? []);
    if (distance <= farthest) sum += weight / distance;
  }
  return most === 0 ? 0 : sum / most;
}

/** Two words in the other order are one word farther apart. */
function shortestDistance(before: readonly number[], after: readonly number[]) {
  let best = Number.POSITIVE_INFINITY;
  let from = 0;
  for (const place of before) {
    while (from < after.length && (after[from] ?? 0) < place - farthest) from++;
    for (let at = from; at < after.length; at++) {
      const distance = (after[at] ?? 0) - place;
      if (distance > farthest) break;
      if (distance !== 0) best = Math.min(best, distance > 0 ? distance : 1 - distance);
    }
  }
  return best;
}
