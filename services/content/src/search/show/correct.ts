import { primaryLanguage } from '../analysis/stem.js';
import { isCommonWord, isQuestionWord, isStopWord, questionLanguages } from '../analysis/stop-words.js';
import { fold, splitWords } from '../analysis/words.js';
import type { AskedWord } from '../query/asked-word.js';
import { countErrors, lettersOf, mostErrors } from '../query/spelling.js';
import type { FoundText } from '../texts/search-text.js';
import type { Match } from './show.js';

/** A found text with what it has of the query. */
interface Spelled {
  readonly text: FoundText;
  readonly matched: readonly Match[];
}

/** Corrects each word that only similar spellings match to the form in the best hit, if that is as similar. Hits come best first. */
export function correct(query: string, words: readonly AskedWord[], hits: readonly Spelled[]) {
  const languages = languagesOf(query);
  let corrected = '';
  let from = 0;
  for (const { text: word, start, end } of words.filter(isMisspelled)) {
    const written = query.slice(start, end);
    const [form] = hits
      .filter(({ text }) => mayBeIn(text.entry.language, word, languages))
      .flatMap(({ matched }) => matched.find((match) => match.word === written)?.found ?? [])
      .map((each) => each.toLowerCase())
      .filter((each) => isLikely(word, each));
    if (form === undefined || (languages.length === 0 && isOtherSpelling(word, form))) continue;
    corrected += query.slice(from, start) + form;
    from = end;
  }
  return from === 0 ? '' : corrected + query.slice(from);
}

export function isMisspelled({ ways }: AskedWord) {
  return ways.length > 0 && ways.every(({ how }) => how === 'spelling' || how === 'otherLetter');
}

/** The languages that have most of the frequent words of a query; empty if it has none. */
function languagesOf(query: string) {
  const words = splitWords(query);
  const lists = [isStopWord, isQuestionWord, isCommonWord];
  const countIn = (language: string) => words.filter(({ text }) => lists.some((has) => has(text, language))).length;
  const most = Math.max(1, ...questionLanguages.map(countIn));
  return questionLanguages.filter((language) => countIn(language) === most);
}

// A word of another language is no error: collègue is not colleague.
function mayBeIn(tag: string, word: string, languages: readonly string[]) {
  const language = primaryLanguage(tag) || 'en';
  return (languages.length === 0 || languages.includes(language)) && !(fold(word) !== word && language === 'en');
}

/** Whether a word may be right in another language, which has k or z in place of c: Produktion. */
function isOtherSpelling(word: string, form: string) {
  const inEnglish = word.replace(/[kz]/g, 'c');
  return inEnglish !== word && countErrors(inEnglish, form) < countErrors(word, form);
}

// Stems may be nearer than the words.
function isLikely(accented: string, shown: string) {
  const [word, form] = [fold(accented), fold(shown)];
  const errors = countErrors(word, form);
  if (errors === 0 || errors > mostErrors(word)) return false;
  if (lettersOf(word) === lettersOf(form)) return true;
  // With another letter a short word is often another right one, such as drone and done.
  return accented.length >= shortestWithWrongLetter && !haveOtherEndings(word, form);
}

/** Whether the words differ only in their last letters, as transcribe and transcript do. Both may be right. */
function haveOtherEndings(word: string, form: string) {
  const same = Math.min(word.length, form.length) - longestEnding;
  return word.slice(0, same) === form.slice(0, same) && word.at(-1) !== form.at(-1);
}

const longestEnding = 2;
const shortestWithWrongLetter = 6;
