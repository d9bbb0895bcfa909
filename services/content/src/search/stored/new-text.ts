import type { Compounds } from '../analysis/compounds.js';
import { analyseBlocks } from '../index/analysed-blocks.js';
import { prepare } from '../index/prepare.js';
import type { SearchText } from '../index/search-text.js';
import { estimate, factsOf, sequenceOf } from '../index/text-index.js';
import { type KeptBlocks, keepBlocks } from './kept-blocks.js';
import type { TabledText } from './text-table.js';
import { type TextWords, textWordsOf } from './text-words.js';

/** What searches need of a text of the index. */
export interface IndexedText {
  readonly facts: TabledText['facts'];
  readonly words: TextWords;
  readonly bytes: number;
}

/** A text to put into the index. */
export interface NewText extends IndexedText {
  readonly shown: RevisionBlocks;
}

/** The first blocks of the body of a revision. */
export interface RevisionBlocks extends KeptBlocks {
  readonly revision: number;
}

/** Prepares a text for the stored index. */
export function newTextOf(text: SearchText, compounds: Compounds): NewText {
  const blocks = analyseBlocks(text, compounds);
  const prepared = prepare(text, compounds, blocks);
  const bytes = estimate(prepared) + sequenceOf(prepared).length;
  const shown = { ...keepBlocks(blocks), revision: text.revision };
  return { facts: factsOf(text), words: textWordsOf(text, prepared), shown, bytes };
}
