import type { Compounds } from '../analysis/compounds.js';
import { prepare } from '../index/prepare.js';
import type { SearchText } from '../index/search-text.js';
import { estimate, factsOf, sequenceOf } from '../index/text-index.js';
import type { TabledText } from './text-table.js';
import { type TextWords, textWordsOf } from './text-words.js';

/** A text to put into the index. */
export interface NewText {
  readonly facts: TabledText['facts'];
  readonly words: TextWords;
  readonly bytes: number;
}

/** Prepares a text for the stored index. */
export function newTextOf(text: SearchText, compounds: Compounds): NewText {
  const prepared = prepare(text, compounds);
  const bytes = estimate(prepared) + sequenceOf(prepared).length;
  return { facts: factsOf(text), words: textWordsOf(text, prepared), bytes };
}
