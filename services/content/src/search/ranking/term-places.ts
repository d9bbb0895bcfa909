import type { QueryWord } from './query.js';

/** The places of terms of a query in a text, from 0 on, in ascending order. A term that the text lacks is left out. */
export type TermPlaces = ReadonlyMap<string, readonly number[]>;

/** How many terms of a text are looked at, so that a long one costs no more than others. */
const maxTerms = 5000;

/** Makes a function that finds the terms of all alternatives in the prepared words of a text. */
export function placesFinder(words: readonly QueryWord[]): (sequence: string) => TermPlaces {
  const wanted = new Set(words.flatMap(({ alternatives }) => alternatives.flatMap(({ terms }) => terms)));
  // Most words of a text begin like none that is wanted, and need not be cut out.
  const beginnings = new Uint8Array(beginningCount);
  for (const term of wanted) beginnings[beginningOf(term, 0, term.length)] = 1;
  return (sequence) => {
    const places = new Map<string, number[]>();
    let start = 0;
    for (let place = 0; place < maxTerms && start <= sequence.length; place++) {
      const space = sequence.indexOf(' ', start);
      const end = space < 0 ? sequence.length : space;
      if (beginnings[beginningOf(sequence, start, end)] === 1) {
        const term = sequence.slice(start, end);
        const known = places.get(term);
        if (known !== undefined) known.push(place);
        else if (wanted.has(term)) places.set(term, [place]);
      }
      start = end + 1;
    }
    return places;
  };
}

/** The places of the wanted ones of some terms. */
export function placesAmong(terms: readonly string[], wanted: ReadonlySet<string>): TermPlaces {
  const places = new Map<string, number[]>();
  for (const [place, term] of terms.entries())
    if (wanted.has(term)) places.set(term, [...(places.get(term) ?? []), place]);
  return places;
}

export const noPlaces: TermPlaces = new Map();

const beginningCount = 4096;

/** A number that two equal words have in common, from their first letters and their length. */
function beginningOf(text: string, start: number, end: number): number {
  const length = end - start;
  if (length === 0) return 0;
  const second = length > 1 ? text.charCodeAt(start + 1) : 0;
  return ((text.charCodeAt(start) * 31 + second) * 31 + length) % beginningCount;
}
