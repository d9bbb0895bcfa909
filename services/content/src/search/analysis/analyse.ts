import type { Compounds } from './compounds.js';
import { remembered, stem } from './stem.js';
import { isStopWord, stopWordLanguages } from './stop-words.js';
import { fold, isAcronymIn, isUninflected, joined, splitWords, type Word } from './words.js';

/** A word of a text as the index has it. A compound has further terms for its parts. */
export interface Term {
  readonly term: string;
  readonly word: Word;
  /** Whether it is two words that a hyphen ties as one, as in on-call: oncall. */
  readonly isJoined?: true;
}

/** Prepares a text for the index: its words without stop words, as stems of the language (a primary tag). */
export function analyse(text: string, language: string, compounds?: Compounds) {
  const terms: Term[] = [];
  const words = splitWords(text);
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    const term = isUninflected(text, word) ? fold(word.text) : termOf(word.text, language);
    if (term !== '') terms.push({ term, word });
    // An acronym that is a stop word in lower case, such as IT. Other terms have no capitals.
    else if (isAcronymIn(text, word)) terms.push({ term: word.text.toUpperCase(), word });
    const tied = joined(text, before, word);
    if (before !== undefined && tied !== undefined)
      terms.push({
        term: termOf(tied, language),
        word: { ...word, text: tied, start: before.start },
        isJoined: true,
      });
    if (term === '' || language !== 'de' || compounds === undefined) continue;
    for (const part of compounds.parts(word.text)) terms.push({ term: stem(part, 'de'), word });
  }
  return terms;
}

/** Whether a phrase has only stop words of some language, so that no text is found by it. A letter may be a name, such as C or R. */
export function hasOnlyStopWords(phrase: string) {
  return phrase.length > 1 && stopWordLanguages.some((language) => analyse(phrase, language).length === 0);
}

/** The term of a word in a language. A stop word has an empty one. */
function termOf(word: string, language: string) {
  return remembering.get(language || 'en')?.(word) ?? termIn(word, language);
}

const remembering = new Map(
  stopWordLanguages.map((language) => [language, remembered((word) => termIn(word, language))]),
);

function termIn(word: string, language: string) {
  const term = isStopWord(word, language) ? '' : stem(word, language);
  // A form of a stop word, such as the English its, is none that anyone means.
  return term.length <= longestEmpty && isStopWord(term, language) ? '' : term;
}

/** A longer word has a meaning of its own, even if its stem is a stop word. */
const longestEmpty = 2;
