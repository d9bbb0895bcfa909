import type { Compounds } from '../analysis/compounds.js';
import { splitWords } from '../analysis/words.js';
import type { Synonyms } from './ports.js';

/** Learns the words of all synonyms, with which compounds are split too. */
export function learnWords(synonyms: Pick<Synonyms, 'current'>, compounds: Compounds): void {
  for (const { words } of synonyms.current())
    for (const phrase of words) for (const { text } of splitWords(phrase)) compounds.learn(text);
}
