import { type Field, fields } from '../index/prepare.js';
import type { WordIndex } from '../index/text-index.js';
import { cutPassage, type Passage, type Spot } from './passage.js';
import type { QueryWord } from './query.js';
import { rarityOf } from './rarity.js';
import type { Part, TextParts } from './text-parts.js';

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
  readonly passage: Passage | undefined;
}

const maxForms = 5;

export interface ShowInput {
  readonly text: TextParts;
  readonly query: string;
  readonly words: readonly QueryWord[];
  readonly index: Pick<WordIndex, 'size'>;
}

/** Finds the words of a query in a text, and the passage of its body that fits best. */
export function show({ text: { parts, terms, places }, query, words, index }: ShowInput): Shown {
  const asked = new Set(words.flatMap(({ alternatives }) => alternatives.flatMap((each) => each.terms)));
  const wanted = wantedTerms(words, new Set(terms.filter((term) => asked.has(term))));
  const rarities = words.map((word) => rarityOf(word, index.size));
  const matches = words.map(({ word }) => ({
    word: query.slice(word.start, word.end),
    // By their lower case, so that a word at the beginning of a sentence is no further form.
    found: new Map<string, string>(),
    fields: new Set<Field>(),
  }));
  const passages: { part: Part; spots: Spot[] }[] = [];
  for (const part of parts) {
    const spots: Spot[] = [];
    for (let place = part.first; place < part.end; place++) {
      const found = wanted.get(terms[place] ?? '');
      if (found === undefined) continue;
      const start = places[2 * place] ?? 0;
      const end = places[2 * place + 1] ?? 0;
      for (const at of found) {
        const match = matches[at];
        if (match === undefined) continue;
        match.fields.add(part.field);
        const form = part.text.slice(start, end);
        const key = form.toLowerCase();
        if (match.found.size < maxForms && !match.found.has(key)) match.found.set(key, form);
        spots.push({ word: at, weight: rarities[at] ?? 0, start, end });
      }
    }
    if (part.field === 'body' || part.field === 'headings') passages.push({ part, spots });
  }
  return {
    matched: matches
      .filter(({ fields }) => fields.size > 0)
      .map(({ word, found, fields: own }) => ({
        word,
        found: [...found.values()],
        fields: fields.filter((field) => own.has(field)),
      })),
    passage: cutPassage(
      passages.map(({ part, spots }) => ({ isHeading: part.field === 'headings', text: part.text, spots })),
    ),
  };
}

/** The places in the query of the words that a term of the text stands for. */
function wantedTerms(words: readonly QueryWord[], terms: ReadonlySet<string>): Map<string, Set<number>> {
  const wanted = new Map<string, Set<number>>();
  for (const [at, { alternatives }] of words.entries()) {
    for (const { how, terms: each } of alternatives) {
      if (how === 'synonym' && !each.every((term) => terms.has(term))) continue;
      for (const term of each) wanted.set(term, (wanted.get(term) ?? new Set()).add(at));
    }
  }
  return wanted;
}
