import type { Compounds } from '../analysis/compounds.js';
import { type Field, fields, type Part, partsOf } from '../index/prepare.js';
import { type AskedWord, termsOf } from '../query/asked-word.js';
import { termPlaces, wordPlaces } from '../rules/word-places.js';
import { type PublishedText, searchTextOf } from '../texts/search-text.js';
import { cutPassages, type Spot } from './passages.js';

/** A word of the query that a text has. */
export interface Match {
  /** The word as it stands in the query. */
  readonly word: string;
  /** The forms that the text has. */
  readonly found: readonly string[];
  readonly fields: readonly Field[];
}

const maxForms = 5;
/** A hit shows passages from this much of a body, in UTF-16 units. So no text costs much more than another. */
const longestShown = 30_000;

/** Finds the words of a query in a text, and the passages of its body that fit best, best first. */
export function show(
  published: PublishedText,
  compounds: Compounds,
  query: string,
  words: readonly AskedWord[],
  passages: number,
) {
  const whole = searchTextOf(published);
  const wanted = termsOf(words);
  const parts = partsOf({ ...whole, body: whole.body.slice(0, longestShown) }, compounds).map((part) => ({
    ...part,
    isHeading: part.field === 'headings',
    spots: spotsIn(part, words, wanted),
  }));
  const matches = words.map(({ start, end }) => {
    return { word: query.slice(start, end), forms: new Map<string, string>(), having: new Set<Field>() };
  });
  for (const { field, text, spots } of parts)
    for (const { word, start, end } of spots) {
      const form = text.slice(start, end);
      // By its lower case, so that a word at the beginning of a sentence is no further form.
      const name = form.toLowerCase();
      if (matches[word]?.forms.has(name) === false) matches[word].forms.set(name, form);
      matches[word]?.having.add(field);
    }
  return {
    matched: matches.flatMap(({ word, forms, having }) => {
      const found = [...forms.values()].slice(0, maxForms);
      return found.length === 0 ? [] : [{ word, found, fields: fields.filter((field) => having.has(field)) }];
    }),
    passages: cutPassages(
      parts.filter(({ field }) => field === 'body' || field === 'headings'),
      passages,
    ),
  };
}

function spotsIn({ terms }: Part, words: readonly AskedWord[], wanted: ReadonlySet<string>): Spot[] {
  const placesOf = termPlaces(
    terms.map(({ term }) => term),
    wanted,
  );
  if (placesOf.size === 0) return [];
  return wordPlaces(words, placesOf).flatMap(({ places, rarity }, word) =>
    places.map((place) => {
      const { start = 0, end = 0 } = terms[place]?.word ?? {};
      return { word, weight: rarity, start, end };
    }),
  );
}
