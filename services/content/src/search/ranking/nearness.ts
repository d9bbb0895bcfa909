import type { QueryWord } from './query.js';

/** The largest distance, in words, at which two words still count as near. */
const farthest = 8;
/** How many terms of a text are looked at, so that a long one costs no more than others. */
const maxTerms = 5000;

/**
 * Measures how near neighbouring words of a query stand in a text. It is 1 if all stand side by side, and 0 if none is
 * near its neighbour. Two neighbours count as much as the more frequent of them is rare.
 */
export function nearness(words: readonly QueryWord[], rarities: readonly number[], sequence: string): number {
  if (words.length < 2) return 0;
  const places = placesOf(words, sequence);
  let sum = 0;
  let most = 0;
  for (let at = 1; at < words.length; at++) {
    const weight = Math.min(rarities[at - 1] ?? 0, rarities[at] ?? 0);
    const distance = shortest(places[at - 1] ?? [], places[at] ?? []);
    if (distance <= farthest) sum += weight / distance;
    most += weight;
  }
  return most === 0 ? 0 : sum / most;
}

function placesOf(words: readonly QueryWord[], sequence: string): number[][] {
  const wanted = new Map<string, number[]>();
  for (const [at, { alternatives }] of words.entries()) {
    for (const { terms } of alternatives) {
      for (const term of terms) wanted.set(term, [...(wanted.get(term) ?? []), at]);
    }
  }
  const places = words.map((): number[] => []);
  // Most words of a text begin like none that is wanted, and need not be cut out.
  const beginnings = new Uint8Array(beginningCount);
  for (const term of wanted.keys()) beginnings[beginningOf(term, 0, term.length)] = 1;
  let start = 0;
  for (let place = 0; place < maxTerms && start <= sequence.length; place++) {
    const space = sequence.indexOf(' ', start);
    const end = space < 0 ? sequence.length : space;
    if (beginnings[beginningOf(sequence, start, end)] === 1) {
      for (const at of wanted.get(sequence.slice(start, end)) ?? []) places[at]?.push(place);
    }
    start = end + 1;
  }
  return places;
}

const beginningCount = 4096;

/** A number that two equal words have in common, from their first letters and their length. */
function beginningOf(text: string, start: number, end: number): number {
  const length = end - start;
  if (length === 0) return 0;
  const second = length > 1 ? text.charCodeAt(start + 1) : 0;
  return ((text.charCodeAt(start) * 31 + second) * 31 + length) % beginningCount;
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
