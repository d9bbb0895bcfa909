import { textBlocks } from '@knowledge/runtime/markdown';
import { analyse, type Term } from '../analysis/analyse.js';
import type { Compounds } from '../analysis/compounds.js';
import { primaryLanguage } from '../analysis/stem.js';
import type { SearchText } from './search-text.js';

/** A block of a body as plain text, with its terms. */
export interface AnalysedBlock {
  readonly isHeading: boolean;
  readonly text: string;
  readonly terms: readonly string[];
  /** Where each term begins and ends in the text, in UTF-16 units. */
  readonly places: Uint32Array;
}

/** A hit shows a passage from this much of a body, in UTF-16 units. So no text costs much more than another. */
export const longestShown = 30_000;

/** Splits a body into its blocks, and finds their terms. */
export function analyseBlocks(
  { language, body }: Pick<SearchText, 'language' | 'body'>,
  compounds: Compounds,
): AnalysedBlock[] {
  const own = primaryLanguage(language);
  return textBlocks(body).map(({ isHeading, text }) => {
    const found = analyse(text, own, compounds);
    return { isHeading, text, terms: found.map(({ term }) => term), places: placesOf(found) };
  });
}

/** Where each term begins and ends. */
export function placesOf(terms: readonly Term[]): Uint32Array {
  const places = new Uint32Array(2 * terms.length);
  for (const [at, { word }] of terms.entries()) {
    places[2 * at] = word.start;
    places[2 * at + 1] = word.end;
  }
  return places;
}
