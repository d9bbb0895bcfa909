import { LRUCache } from 'lru-cache';
import { analyse } from '../analysis/analyse.js';
import type { Compounds } from '../analysis/compounds.js';
import { fold } from '../analysis/fold.js';
import { primaryLanguage } from '../analysis/stem.js';
import { splitWords } from '../analysis/words.js';
import type { AnalysedBlock } from '../index/analysed-blocks.js';
import { type Field, isGerman } from '../index/prepare.js';
import type { SearchFacts, TextKey } from '../index/search-text.js';

/** The terms of a text with the places where they stand. */
export interface TextParts {
  readonly parts: readonly Part[];
  /** The terms of all parts, one after the other. */
  readonly terms: readonly string[];
  /** Where each term begins and ends in its part. */
  readonly places: Uint16Array;
}

/** A field of a text, or a block of its body. */
export interface Part {
  readonly field: Field;
  readonly text: string;
  /** The place of its first term in `terms`, and the place after its last one. */
  readonly first: number;
  readonly end: number;
}

/** Finds the terms of texts, and remembers those of the last ones. */
export interface TextPartsReader {
  /** Whether the parts of some revision of the text are known. */
  has(key: TextKey): boolean;
  /** Undefined if the blocks of the body are needed. */
  known(text: SearchFacts, compounds: Compounds): TextParts | undefined;
  read(text: SearchFacts, blocks: readonly AnalysedBlock[], compounds: Compounds): TextParts;
}

/** A text of 4 kB needs some 16 kB of the memory. */
export function createTextParts(maxBytes: number): TextPartsReader {
  const remembered = new LRUCache<TextKey, Remembered>({ maxSize: maxBytes, sizeCalculation: bytesOf });
  return {
    has: (key) => remembered.has(key),
    known(text, compounds) {
      const before = remembered.get(text.key);
      return before !== undefined && isSame(before, text, compounds) ? before.found : undefined;
    },
    read(text, blocks, compounds) {
      const found = partsOf(text, blocks, compounds);
      const { revision, updatedAt, gloss } = text;
      remembered.set(text.key, { revision, updatedAt, gloss, found, compounds, size: compounds.size });
      return found;
    },
  };
}

interface Remembered extends Pick<SearchFacts, 'revision' | 'updatedAt' | 'gloss'> {
  readonly found: TextParts;
  readonly compounds: Compounds;
  /** The number of words of compounds at that time. */
  readonly size: number;
}

function isSame(
  { revision, updatedAt, gloss, compounds, size }: Remembered,
  now: SearchFacts,
  known: Compounds,
): boolean {
  return (
    revision === now.revision &&
    updatedAt.getTime() === now.updatedAt.getTime() &&
    gloss?.title === now.gloss?.title &&
    gloss?.summary === now.gloss?.summary &&
    (!isGerman(now) || (compounds === known && size === known.size))
  );
}

function bytesOf({ found: { parts, terms, places } }: Remembered): number {
  const letters = parts.reduce((sum, part) => sum + part.text.length, 0);
  return letters + parts.length * 100 + terms.length * 8 + places.byteLength + 1000;
}

function partsOf(text: SearchFacts, blocks: readonly AnalysedBlock[], compounds: Compounds): TextParts {
  const parts: Part[] = [];
  const terms: string[] = [];
  const places: number[] = [];
  const own = primaryLanguage(text.language);
  const begin = (field: Field, content: string, add: () => void): void => {
    const first = terms.length;
    add();
    parts.push({ field, text: content, first, end: terms.length });
  };
  const addTerm = (term: string, start: number, end: number): void => {
    terms.push(term);
    places.push(start, end);
  };
  const part = (field: Field, content: string, language = own): void =>
    begin(field, content, () => {
      for (const { term, word } of analyse(content, language, compounds)) addTerm(term, word.start, word.end);
    });
  const { gloss } = text;
  part('title', text.title);
  for (const tag of text.tags) part('tags', tag, 'en');
  part('summary', text.summary);
  begin('author', text.author, () => {
    for (const { text: word, start, end } of splitWords(text.author)) addTerm(fold(word), start, end);
  });
  for (const block of blocks) {
    begin(block.isHeading ? 'headings' : 'body', block.text, () => {
      for (const term of block.terms) terms.push(term);
      for (const place of block.places) places.push(place);
    });
  }
  if (gloss !== undefined) part('gloss', `${gloss.title}\n${gloss.summary}`, 'en');
  return { parts, terms, places: Uint16Array.from(places) };
}
