import { type Field, fields, type Part } from '../index/prepare.js';
import type { AskedWord } from '../query/asked-word.js';
import { wordPlaces } from '../rules/word-places.js';
import { type Block, cutPassages, type Passage, type Spot } from './passages.js';

/** A word of the query that a text has. */
export interface Match {
  /** The word as it stands in the query. */
  readonly word: string;
  /** The forms that the text has. */
  readonly found: readonly string[];
  readonly fields: readonly Field[];
}

/** What a hit shows of its text. */
export interface Shown {
  readonly matched: readonly Match[];
  readonly passages: readonly Passage[];
}

const maxForms = 5;

/** Finds the words of a query in a text, and the passages of its body that fit best. */
export function show(
  { parts, language }: { readonly parts: readonly Part[]; readonly language: string },
  query: string,
  words: readonly AskedWord[],
  passages: number,
): Shown {
  const matches = words.map(({ start, end }) => ({
    word: query.slice(start, end),
    // By their lower case, so that a word at the beginning of a sentence is no further form.
    found: new Map<string, string>(),
    fields: new Set<Field>(),
  }));
  const blocks: Block[] = [];
  for (const { field, text, terms } of parts) {
    const spots: Spot[] = [];
    for (const [at, { places }] of wordPlaces(words, placesIn(terms), language).entries()) {
      for (const place of places) {
        const { start = 0, end = 0 } = terms[place]?.word ?? {};
        const form = text.slice(start, end);
        const match = matches[at];
        match?.fields.add(field);
        if (match !== undefined && match.found.size < maxForms && !match.found.has(form.toLowerCase()))
          match.found.set(form.toLowerCase(), form);
        spots.push({ word: at, weight: words[at]?.rarity ?? 0, start, end });
      }
    }
    if (field === 'body' || field === 'headings') blocks.push({ isHeading: field === 'headings', text, spots });
  }
  return {
    matched: matches
      .filter(({ found }) => found.size > 0)
      .map(({ word, found, fields: having }) => ({
        word,
        found: [...found.values()],
        fields: fields.filter((field) => having.has(field)),
      })),
    passages: cutPassages(blocks, passages),
  };
}

function placesIn(terms: Part['terms']): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, { term }] of terms.entries()) {
    const known = places.get(term);
    if (known === undefined) places.set(term, [place]);
    else known.push(place);
  }
  return places;
}
