import type { AskedWord, Way } from '../query/asked-word.js';

/** Where the terms of a query stand in a text, by their place among its terms. */
export type TermPlaces = ReadonlyMap<string, readonly number[]>;

/** Finds the places of these terms among those of a text. */
export function termPlaces(sequence: readonly string[], wanted: ReadonlySet<string>) {
  const places = new Map<string, number[]>();
  for (const [place, term] of sequence.entries()) {
    if (!wanted.has(term)) continue;
    const known = places.get(term) ?? [];
    known.push(place);
    places.set(term, known);
  }
  return places;
}

/** A word of the query, and what a text has of it. */
export interface FoundWord extends AskedWord {
  /** Its places in the text, in ascending order; empty if the text lacks the word. */
  readonly places: readonly number[];
  /** The ways in which the text has it. */
  readonly hows: ReadonlySet<Way['how']>;
}

/** What a text has of each word of a query. */
export function wordPlaces(words: readonly AskedWord[], places: TermPlaces): FoundWord[] {
  return words.map((word) => {
    const found = word.ways.flatMap(({ terms, how }) => together(terms, places).map((place) => ({ place, how })));
    return {
      ...word,
      places: [...new Set(found.map(({ place }) => place))].sort((one, other) => one - other),
      hows: new Set(found.map(({ how }) => how)),
    };
  });
}

/** The places where all of these terms stand side by side, with at most one other term among them. */
function together(terms: readonly string[], places: TermPlaces) {
  const [first = [], ...others] = terms.map((term) => places.get(term) ?? []);
  const isNear = (place: number) => (one: readonly number[]) =>
    one.some((other) => Math.abs(other - place) <= terms.length);
  return others.length === 0 ? first : first.filter((place) => others.every(isNear(place)));
}
