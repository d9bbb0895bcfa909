import { type Field, fields } from '../index/prepare.js';
import type { WordIndex } from '../index/text-index.js';
import { cutPassage, type Passage, type Spot } from './passage.js';
import type { QueryWord } from './query.js';
import { rarityOf } from './rarity.js';
import { noPlaces, placesAmong } from './term-places.js';
import type { Part, TextParts } from './text-parts.js';
import { nextWhole } from './whole-phrases.js';

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
  /** The primary tag of its language; empty if unknown. */
  readonly language: string;
  readonly query: string;
  readonly words: readonly QueryWord[];
  readonly index: Pick<WordIndex, 'size'>;
}

/** Finds the words of a query in a text, and the passage of its body that fits best. */
export function show({ text: parts, language, query, words, index }: ShowInput): Shown {
  const { wanted, phrases } = wantedTerms(words, parts, language);
  const ofPhrases = new Set(phrases.flatMap(({ phrase }) => phrase));
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
    const { terms, places } = part;
    const note = (at: number, first: number, last: number): void => {
      const match = matches[at];
      if (match === undefined) return;
      const start = places[2 * first] ?? 0;
      const end = places[2 * last + 1] ?? 0;
      match.fields.add(part.field);
      const form = part.text.slice(start, end);
      const key = form.toLowerCase();
      if (match.found.size < maxForms && !match.found.has(key)) match.found.set(key, form);
      spots.push({ word: at, weight: rarities[at] ?? 0, start, end });
    };
    for (let place = 0; place < terms.length; place++) {
      const found = wanted.get(terms[place] ?? '');
      if (found !== undefined) for (const at of found) note(at, place, place);
    }
    const found = phrases.length === 0 ? noPlaces : placesAmong(terms, ofPhrases);
    for (const { at, phrase } of phrases) {
      let whole = nextWhole(phrase, found, 0);
      while (whole !== undefined) {
        note(at, whole.first, whole.last);
        whole = nextWhole(phrase, found, whole.last + 1);
      }
    }
    if (part.field === 'body' || part.field === 'headings') passages.push({ part, spots });
  }
  return {
    matched: matches
      .filter(({ fields }) => fields.size > 0)
      .map(({ word, found, fields: having }) => ({
        word,
        found: [...found.values()],
        fields: fields.filter((field) => having.has(field)),
      })),
    passage: cutPassage(
      passages.map(({ part, spots }) => ({ isHeading: part.field === 'headings', text: part.text, spots })),
    ),
  };
}

interface Wanted {
  /** The places in the query of the words that a term of the text stands for. */
  readonly wanted: ReadonlyMap<string, ReadonlySet<number>>;
  /** Synonyms of several words, which stand for a word only where they stand together. */
  readonly phrases: readonly { readonly at: number; readonly phrase: readonly string[] }[];
}

function wantedTerms(words: readonly QueryWord[], parts: TextParts, language: string): Wanted {
  const wanted = new Map<string, Set<number>>();
  const phrases = new Map<string, Wanted['phrases'][number]>();
  const asked = new Set(words.flatMap(({ alternatives }) => alternatives.flatMap((each) => each.terms)));
  const known = new Set<string>();
  for (const { terms } of parts) for (const term of terms) if (asked.has(term)) known.add(term);
  for (const [at, { alternatives }] of words.entries()) {
    for (const { how, terms: each, languages = [] } of alternatives) {
      if (!each.some((term) => known.has(term))) continue;
      if (languages.length > 0 && !languages.includes(language)) continue;
      if (how !== 'synonym' || each.length === 1)
        for (const term of each) wanted.set(term, (wanted.get(term) ?? new Set()).add(at));
      else if (each.every((term) => known.has(term))) phrases.set(`${at} ${each.join(' ')}`, { at, phrase: each });
    }
  }
  // A phrase with the word itself shows no more than the word.
  const hasWord = ({ at, phrase }: Wanted['phrases'][number]): boolean =>
    phrase.some((term) => wanted.get(term)?.has(at) === true);
  return { wanted, phrases: [...phrases.values()].filter((each) => !hasWord(each)) };
}
