import { distance } from 'fastest-levenshtein';
import { stem } from '../analysis/stem.js';
import { fold } from '../analysis/words.js';

/** The terms of the texts, as spellings are looked for in them. */
interface KnownTerms {
  /** At least the terms that have the first letter of the word and at most this many errors. */
  near(word: string, errors: number): Iterable<string>;
  frequency(term: string): number;
}

/** A term that texts have. */
export interface KnownTerm {
  readonly term: string;
  readonly frequency: number;
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
export function closestTerms(asked: string, languages: Iterable<string>, known: KnownTerms): KnownTerm[] {
  const word = fold(asked);
  if (mostErrors(word) === 0 || /\p{N}/u.test(word)) return [];
  const found = new Map<string, number>();
  for (const form of spelledForms(asked, languages)) {
    // A stem is shorter than its word, so as many errors make another word of it: lead is not leasing.
    const most = Math.min(mostErrors(word), mostErrors(form));
    for (const term of known.near(form, most)) {
      const errors = countErrors(form, term);
      if (errors === 0 || errors > Math.min(most, mostErrors(term))) continue;
      // A longer ending makes another word of it.
      if (errors > 1 && (term.startsWith(form) || form.startsWith(term))) continue;
      if (term.slice(0, errors) !== form.slice(0, errors)) continue;
      if (known.frequency(term) > 0) found.set(term, Math.min(errors, found.get(term) ?? most));
    }
  }
  if (found.size === 0) for (const term of stemsOfEndings(asked)) if (known.frequency(term) > 0) found.set(term, 1);
  const least = Math.min(...found.values());
  return [...found]
    .flatMap(([term, errors]) => (errors === least ? [{ term, frequency: known.frequency(term) }] : []))
    .sort((one, other) => other.frequency - one.frequency || (one.term < other.term ? -1 : 1))
    .slice(0, mostSpellings);
}

/** The beginnings of a long word before an English ending with one error, such as observ in observabilty. */
export function stemsOfEndings(asked: string) {
  const word = fold(asked);
  const rests = Array.from({ length: longestRest + 1 }, (_, at) => word.slice(word.length - at));
  const misspelled = rests.filter((rest) => endings.some((ending) => countErrors(rest, ending) === 1));
  return misspelled.map((rest) => word.slice(0, -rest.length)).filter(({ length }) => length >= shortestStem);
}

// With an error in a shorter one, most words would have one.
const endings =
  'ability abilities ation ations ational ement ements encies ically ingly ingness ization izations iveness ments ously'.split(
    ' ',
  );
const longestRest = 9;
const shortestStem = 5;

/** How many errors a word of this length may have. */
export function mostErrors({ length }: string) {
  return Number(length >= shortestWithErrors) + Number(length >= shortestWithTwoErrors);
}

const shortestWithErrors = 5;
const shortestWithTwoErrors = 8;

/** Counts the letters to insert, leave out or replace to make one word of the other. Two neighbours once exchanged are one error. */
export function countErrors(one: string, other: string) {
  const errors = distance(one, other);
  const exchanged = (_: string, at: number) => one.slice(0, at) + one.charAt(at + 1) + one[at] + one.slice(at + 2);
  const isExchange =
    errors > 1 && errors < 4 && [...one].map(exchanged).some((each) => distance(each, other) === errors - 2);
  return errors - Number(isExchange);
}
