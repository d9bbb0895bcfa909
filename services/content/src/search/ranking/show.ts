import { textBlocks } from '../../domain/markdown-text.js';
import { analyse } from '../analysis/analyse.js';
import type { Compounds } from '../analysis/compounds.js';
import { fold } from '../analysis/fold.js';
import { primaryLanguage } from '../analysis/stem.js';
import { splitWords } from '../analysis/words.js';
import { type Field, fields } from '../index/prepare.js';
import type { SearchText } from '../index/search-text.js';
import type { WordIndex } from '../index/text-index.js';
import { cutPassage, type Passage, type Spot } from './passage.js';
import type { QueryWord } from './query.js';
import { rarityOf } from './rank.js';

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
/** The passage is looked for in this much of a body, so that no text costs much more than another. */
const maxBody = 30_000;

export interface ShowInput {
  readonly text: SearchText;
  readonly query: string;
  readonly words: readonly QueryWord[];
  readonly index: Pick<WordIndex, 'size' | 'compounds'>;
}

/** Finds the words of a query in a text, and the passage of its body that fits best. */
export function show({ text, query, words, index }: ShowInput): Shown {
  const parts = partsOf(text, index.compounds);
  const terms = new Set(parts.flatMap(({ spots }) => spots.map(({ term }) => term)));
  const wanted = wantedTerms(words, terms);
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
    for (const { term, start, end } of part.spots) {
      for (const at of wanted.get(term) ?? []) {
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

interface Part {
  readonly field: Field;
  readonly text: string;
  readonly spots: readonly { readonly term: string; readonly start: number; readonly end: number }[];
}

function partsOf(text: SearchText, compounds: Compounds): Part[] {
  const own = primaryLanguage(text.language);
  const part = (field: Field, content: string, language = own): Part => ({
    field,
    text: content,
    spots: analyse(content, language, compounds).map(({ term, word }) => ({ term, start: word.start, end: word.end })),
  });
  const { gloss } = text;
  return [
    part('title', text.title),
    ...text.tags.map((tag) => part('tags', tag, 'en')),
    part('summary', text.summary),
    {
      field: 'author',
      text: text.author,
      spots: splitWords(text.author).map(({ text: word, start, end }) => ({ term: fold(word), start, end })),
    },
    ...textBlocks(text.body.slice(0, maxBody)).map((block) => part(block.isHeading ? 'headings' : 'body', block.text)),
    ...(gloss === undefined ? [] : [part('gloss', `${gloss.title}\n${gloss.summary}`, 'en')]),
  ];
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
