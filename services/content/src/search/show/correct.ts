import { fold } from '../analysis/fold.js';
import { primaryLanguage } from '../analysis/stem.js';
import { isCommonWord, isQuestionWord, isStopWord, questionLanguages } from '../analysis/stop-words.js';
import { splitWords } from '../analysis/words.js';
import type { AskedWord } from '../query/asked-word.js';
import { countErrors, mostErrors } from '../query/spelling.js';
import type { Match } from './show.js';

/** A found text, best first, with what it has of the query. */
export interface Spelled {
  /** Its language, a BCP 47 tag. */
  readonly language: string;
  readonly matched: readonly Match[];
}

/** Corrects each word that only similar spellings match to the form in the best hit, if that is as similar. */
export function correct(query: string, words: readonly AskedWord[], hits: readonly Spelled[]): string {
  const languages = languagesOf(query);
  let corrected = '';
  let from = 0;
  for (const word of words.filter(isMisspelled)) {
    const written = query.slice(word.start, word.end);
    const likely = hits.filter((hit) => mayBeIn(hit.language, word.text, languages));
    const form = likely.flatMap(({ matched }) => matched.find((match) => match.word === written)?.found ?? [])[0];
    if (form === undefined || !isLikely(word.text, form.toLowerCase())) continue;
    if (languages.length === 0 && isOtherSpelling(word.text, form.toLowerCase())) continue;
    corrected += query.slice(from, word.start) + form.toLowerCase();
    from = word.end;
  }
  return from === 0 ? '' : corrected + query.slice(from);
}

export function isMisspelled({ ways }: AskedWord): boolean {
  return ways.length > 0 && ways.every(({ how }) => how === 'spelling');
}

/** The languages that have most of the frequent words of a query; empty if it has none. */
function languagesOf(query: string): string[] {
  const words = splitWords(query);
  const counts = Array.from(questionLanguages(), (language) => {
    const isFrequent = ({ text }: { readonly text: string }): boolean =>
      isStopWord(text, language) || isQuestionWord(text, language) || isCommonWord(text, language);
    return { language, count: words.filter(isFrequent).length };
  });
  const most = Math.max(1, ...counts.map(({ count }) => count));
  return counts.flatMap(({ language, count }) => (count === most ? [language] : []));
}

// A word of another language is no error: collègue is not colleague.
function mayBeIn(tag: string, word: string, languages: readonly string[]): boolean {
  const language = primaryLanguage(tag) || 'en';
  return (languages.length === 0 || languages.includes(language)) && !(fold(word) !== word && language === 'en');
}

/** Whether a word may be right in another language, which has k or z in place of c: Produktion. */
function isOtherSpelling(word: string, form: string): boolean {
  const inEnglish = word.replace(/[kz]/g, 'c');
  return inEnglish !== word && countErrors(inEnglish, form) < countErrors(word, form);
}

// Stems may be nearer than the words.
function isLikely(word: string, form: string): boolean {
  const errors = countErrors(fold(word), fold(form));
  if (errors === 0 || errors > mostErrors(fold(word)) || haveOtherEndings(fold(word), fold(form))) return false;
  // With another letter a short word is often another right one, such as drone and done.
  return word.length >= shortestWithWrongLetter || lettersOf(word) === lettersOf(form);
}

/** Whether the words differ only in their last letters, as transcribe and transcript do. Both may be right. */
function haveOtherEndings(word: string, form: string): boolean {
  const shorter = Math.min(word.length, form.length);
  let same = 0;
  while (same < shorter && word[same] === form[same]) same++;
  return same >= shorter - longestEnding && word.at(-1) !== form.at(-1) && lettersOf(word) !== lettersOf(form);
}

const longestEnding = 2;
const shortestWithWrongLetter = 6;

function lettersOf(word: string): string {
  return [...fold(word)].sort().join('');
}
