import type { QueryWord } from './query.js';
import type { TermPlaces } from './term-places.js';

/** The largest distance, in words, at which two words still count as near. */
const farthest = 8;

/**
 * Measures how near neighbouring words of a query stand in a text. It is 1 if all stand side by side, and 0 if none is
 * near its neighbour. Two neighbours count as much as the more frequent of them is rare. A word that no text has is left out.
 */
export function nearness(words: readonly QueryWord[], rarities: readonly number[], found: TermPlaces): number {
  const known = words.flatMap((word, at) =>
    word.alternatives.length === 0 ? [] : [{ places: placesOf(word, found), rarity: rarities[at] ?? 0 }],
  );
  let sum = 0;
  let most = 0;
  for (const [at, word] of known.entries()) {
    const before = known[at - 1];
    if (before === undefined) continue;
    const weight = Math.min(before.rarity, word.rarity);
    const distance = shortest(before.places, word.places);
    if (distance <= farthest) sum += weight / distance;
    most += weight;
  }
  return most === 0 ? 0 : sum / most;
}

function placesOf({ alternatives }: QueryWord, found: TermPlaces): readonly number[] {
  const terms = new Set(alternatives.flatMap((each) => each.terms));
  const each = [...terms].flatMap((term) => [found.get(term) ?? []]).filter(({ length }) => length > 0);
  return each.length === 1 ? (each[0] ?? []) : each.flat().sort((one, other) => one - other);
}

// A word before its neighbour counts a little more far than one after it.
function shortest(before: readonly number[], after: readonly number[]): number {
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
