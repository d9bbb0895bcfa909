import type { Compounds } from './compounds.js';
import { stem } from './stem.js';
import { isStopWord } from './stop-words.js';
import { splitWords, type Word } from './words.js';

/** A word of a text as the index has it. A compound has further terms for its parts. */
export interface Term {
  readonly term: string;
  readonly word: Word;
}

/** Prepares a text for the index: its words without stop words, as stems of the language (a primary tag). */
export function analyse(text: string, language: string, compounds?: Compounds): Term[] {
  const terms: Term[] = [];
  for (const word of splitWords(text)) {
    if (isStopWord(word.text, language)) continue;
    terms.push({ term: stem(word.text, language), word });
    if (language !== 'de' || compounds === undefined) continue;
    for (const part of compounds.parts(word.text)) terms.push({ term: stem(part, 'de'), word });
  }
  return terms;
}
