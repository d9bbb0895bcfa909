import { distance } from 'fastest-levenshtein';
import { stem } from '../analysis/stem.js';
import { fold } from '../analysis/words.js';
import type { Way } from './asked-word.js';

/** The terms of the texts, as spellings are looked for in them. */
interface KnownTerms {
  /** At least the terms that have the first letter of the word and at most this many errors. */
  near(word: string, errors: number): Iterable<string>;
  frequency(term: string): number;
}

/** A term that texts have, beside a word that they lack. */
export interface CloseTerm extends Pick<Way, 'how'> {
  readonly term: string;
  readonly frequency: number;
  readonly errors: number;
}

/** The forms of a word of a query with which its other spellings are compared. */
export function spelledForms(word: string, languages: Iterable<string>) {
  return new Set([fold(word), ...[...languages, 'en'].map((language) => stem(word, language))]);
}

/** How many other spellings of a word a search looks for. */
const mostSpellings = 4;

/**
 * Finds the terms that a misspelled word most likely means. They have the fewest errors, compared with the word and its stems.
 * A number is as its writer wants it, a short word has too many others near it, and the beginning of a word is right.
 */
export function closestTerms(asked: string, languages: Iterable<string>, known: KnownTerms) {
  const word = fold(asked);
  if (mostErrors(word) === 0 || /\p{N}/u.test(word)) return [];
  const found = new Map<string, CloseTerm>();
  const note = (term: string, errors: number, how: Way['how']) => {
    const frequency = known.frequency(term);
    if (frequency > 0 && errors < (found.get(term)?.errors ?? Infinity))
      found.set(term, { term, how, frequency, errors });
  };
  for (const form of spelledForms(asked, languages)) {
    // A stem is shorter than its word, so as many errors make another word of it: lead is not leasing.
    const most = Math.min(mostErrors(word), mostErrors(form));
    for (const term of known.near(form, most)) {
      const errors = countErrors(form, term);
      if (errors === 0 || errors > Math.min(most, mostErrors(term))) continue;
      // A longer ending makes another word of it.
      if (errors > 1 && (term.startsWith(form) || form.startsWith(term))) continue;
      if (term.slice(0, errors) !== form.slice(0, errors)) continue;
      note(
        term,
        errors,
        form.length === term.length && lettersOf(form) !== lettersOf(term) ? 'otherLetter' : 'spelling',
      );
    }
  }
  // Two hundred stems take milliseconds, and most unknown words begin like no term.
  const begun = beginningsOf(asked).filter((term) => known.frequency(term) > 0);
  const stems = begun.length > 0 ? stemsOfEndings(word) : [];
  for (const term of begun) if (stems.includes(term)) note(term, 1, 'spelling');
  for (const term of stemsWithAccent(word)) note(term, 1, 'spelling');
  return [...found.values()]
    .sort(
      (one, other) => one.errors - other.errors || other.frequency - one.frequency || (one.term < other.term ? -1 : 1),
    )
    .filter(({ errors }, _, [best]) => errors === best?.errors)
    .slice(0, mostSpellings);
}

/** The beginnings of a word, one of which may be the stem of what is meant. */
export function beginningsOf(asked: string) {
  const word = fold(asked);
  return Array.from({ length: Math.max(0, word.length - shortestStem) }, (_, at) => word.slice(0, shortestStem + at));
}

/** The English stems of a word once its ending has a letter more, or two exchanged. So observabilty has that of observability. */
function stemsOfEndings(word: string) {
  return Array.from({ length: longestEnding }, (_, from) => word.length - from)
    .flatMap((at) => [...letters].map((each) => word.slice(0, at) + each + word.slice(at)).concat(exchange(word, at)))
    .map((each) => stem(each, 'en'));
}

/** Endings that a stemmer knows only with their accent: reversibilite has another stem than réversibilité. */
const accentedEndings = [
  ['fr', /ite(s?)$/, 'ité$1'],
  ['es', /cion$/, 'ción'],
  ['pt', /cao$/, 'ção'],
  ['pt', /coes$/, 'ções'],
] as const;

function stemsWithAccent(word: string) {
  const written = accentedEndings.filter(([, ending]) => ending.test(word));
  return written.map(([language, ending, accented]) => stem(word.replace(ending, accented), language));
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const shortestStem = 5;
const longestEnding = 8;

/** How many errors a word of this length may have. */
export function mostErrors({ length }: string) {
  return Number(length >= shortestWithErrors) + Number(length >= shortestWithTwoErrors);
}

const shortestWithErrors = 5;
const shortestWithTwoErrors = 8;

/** Counts the letters to insert, leave out or replace to make one word of the other. Two neighbours once exchanged are one error. */
export function countErrors(one: string, other: string) {
  const errors = distance(one, other);
  const isNearer = (_: string, at: number) => distance(exchange(one, at), other) === errors - 2;
  return errors - Number(errors > 1 && errors < 4 && [...one].some(isNearer));
}

/** A word with the letter at a place and the one after it exchanged. */
function exchange(word: string, at: number) {
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
}

export function lettersOf(word: string) {
  return [...word].sort().join('');
}
