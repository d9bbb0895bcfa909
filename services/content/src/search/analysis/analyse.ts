import { acronymTerm, isAcronymIn } from './acronyms.js';
import type { Compounds } from './compounds.js';
import { fold } from './fold.js';
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
  const known = knownTerms(language);
  for (const word of splitWords(text)) {
    const term = isUninflected(text, word) ? fold(word.text) : termOf(word.text, known, language);
    if (term === '') {
      if (isNamesake(text, word, language)) terms.push({ term: acronymTerm(word.text), word });
      continue;
    }
    terms.push({ term, word });
    if (language !== 'de' || compounds === undefined) continue;
    for (const part of compounds.parts(word.text)) terms.push({ term: stem(part, 'de'), word });
  }
  return terms;
}

/** The number of words that each language remembers with their terms; together less than 20 MB. */
const maxRemembered = 20_000;
const maxLanguages = 20;
const remembered = new Map<string, Map<string, string>>();

function knownTerms(language: string): Map<string, string> {
  let known = remembered.get(language);
  if (known === undefined) {
    if (remembered.size >= maxLanguages) remembered.clear();
    known = new Map();
    remembered.set(language, known);
  }
  return known;
}

// Looks a word up once, in place of once for stop words and once for stems. A stop word has an empty term.
function termOf(word: string, known: Map<string, string>, language: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  if (known.size >= maxRemembered) known.clear();
  const stemmed = isStopWord(word, language) ? '' : stem(word, language);
  // A form of a stop word, such as the English its, is none that anyone means.
  const isEmpty = stemmed.length <= longestEmpty && isStopWord(stemmed, language);
  const term = isEmpty ? '' : stemmed;
  known.set(word, term);
  return term;
}

/** A longer word has a meaning of its own, even if its stem is a stop word. */
const longestEmpty = 2;

/** Whether a word ends in a capital after a small letter, such as SaaS. Its last letters are no ending. */
export function isUninflected(text: string, { start, end }: Word): boolean {
  const last = text.charCodeAt(end - 1);
  return last >= firstCapital && last <= lastCapital && smallLetter.test(text.slice(start, end));
}

const firstCapital = 65;
const lastCapital = 90;
const smallLetter = /\p{Ll}/u;

/** Whether a word in capitals, such as IT, is written like a stop word. */
function isNamesake(text: string, word: Word, language: string): boolean {
  // Most stop words have their small letters, so the first one says enough.
  return text[word.start] !== word.text[0] && isAcronymIn(text, word) && isStopWord(word.text, language);
}
