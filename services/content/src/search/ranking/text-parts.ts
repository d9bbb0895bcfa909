import { analyse } from '../analysis/analyse.js';
import type { Compounds } from '../analysis/compounds.js';
import { fold } from '../analysis/fold.js';
import { primaryLanguage } from '../analysis/stem.js';
import { splitWords } from '../analysis/words.js';
import { FrequentCache } from '../frequent-cache.js';
import { type AnalysedBlock, placesOf } from '../index/analysed-blocks.js';
import { type Field, isGerman } from '../index/prepare.js';
import type { SearchFacts, TextKey } from '../index/search-text.js';

/** The fields of a text, and the blocks of its body, with their terms. */
export type TextParts = readonly Part[];

export interface Part extends Pick<AnalysedBlock, 'text' | 'terms' | 'places'> {
  readonly field: Field;
}

/** Finds the terms of texts, and remembers those that are asked for most. */
export interface TextPartsReader {
  /** Whether the parts of some revision of the text are known. */
  has(key: TextKey): boolean;
  /** Undefined if the blocks of the body are needed. */
  known(text: SearchFacts, compounds: Compounds): TextParts | undefined;
  read(text: SearchFacts, blocks: readonly AnalysedBlock[], compounds: Compounds): TextParts;
}

/** A text of 4 kB needs some 16 kB of the memory. */
export function createTextParts(maxBytes: number): TextPartsReader {
  const remembered = new FrequentCache<TextKey, Remembered>(maxBytes, bytesOf);
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

function bytesOf({ found }: Remembered): number {
  return found.reduce((sum, { text, terms }) => sum + text.length + terms.length * 16 + 150, 1000);
}

function partsOf(text: SearchFacts, blocks: readonly AnalysedBlock[], compounds: Compounds): Part[] {
  const own = primaryLanguage(text.language);
  const part = (field: Field, content: string, language = own): Part => {
    const found = analyse(content, language, compounds);
    return { field, text: content, terms: found.map(({ term }) => term), places: placesOf(found) };
  };
  const names = splitWords(text.author).map((word) => ({ term: fold(word.text), word }));
  const author = { text: text.author, terms: names.map(({ term }) => term), places: placesOf(names) };
  const { gloss } = text;
  return [
    part('title', text.title),
    ...text.tags.map((tag) => part('tags', tag, 'en')),
    part('summary', text.summary),
    { field: 'author', ...author },
    ...blocks.map(({ isHeading, ...block }): Part => ({ field: isHeading ? 'headings' : 'body', ...block })),
    ...(gloss === undefined ? [] : [part('gloss', `${gloss.title}\n${gloss.summary}`, 'en')]),
  ];
}
