import { stem } from '../analysis/stem.js';
import { fold } from '../analysis/words.js';

/** The terms of the texts, as spellings are looked for in them. */
interface KnownTerms {
  /** At least the terms that begin with this letter. */
  beginningWith(letter: string): Iterable<string>;
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
export function closestTerms(
  asked: string,
  languages: Iterable<string>,
  known: KnownTerms,
  triesEndings = true,
): KnownTerm[] {
  const word = fold(asked);
  if (mostErrors(word) === 0 || /\p{N}/u.test(word)) return [];
  const found = new Map<string, number>();
  for (const form of spelledForms(asked, languages)) {
    // A stem is shorter than its word, so as many errors make another word of it: lead is not leasing.
    const most = Math.min(mostErrors(word), mostErrors(form));
    for (const term of known.beginningWith(form[0] ?? '')) {
      if (Math.abs(term.length - form.length) > most) continue;
      const errors = countErrors(form, term);
      if (errors === 0 || errors > Math.min(most, mostErrors(term))) continue;
      // A longer ending makes another word of it.
      if (errors > 1 && (term.startsWith(form) || form.startsWith(term))) continue;
      if (term.slice(0, errors) !== form.slice(0, errors)) continue;
      if (known.frequency(term) > 0) found.set(term, Math.min(errors, found.get(term) ?? most));
    }
  }
  if (triesEndings && found.size === 0)
    for (const term of beginningsOf(asked))
      if (known.frequency(term) > 0 && hasStem(word, term, languages)) found.set(term, 1);
  const least = Math.min(...found.values());
  return [...found]
    .flatMap(([term, errors]) => (errors === least ? [{ term, frequency: known.frequency(term) }] : []))
    .sort((one, other) => other.frequency - one.frequency || (one.term < other.term ? -1 : 1))
    .slice(0, mostSpellings);
}

/** For how many words of a query other endings are tried. Each costs up to 30 ms of CPU time. */
export const mostWithEndings = 1;

/** The beginnings of a long word that may be its stem. With an error in its ending, such as observabilty, a word has another stem. */
export function beginningsOf(asked: string) {
  const word = fold(asked);
  if (word.length < shortestWithEnding || word.length > longestWithEnding) return [];
  const shortest = Math.max(shortestStem, word.length - longestEnding);
  return Array.from({ length: word.length - shortest }, (_, at) => word.slice(0, shortest + at));
}

const shortestWithEnding = 10;
/** A longer word costs more to try than it is likely to be one. */
const longestWithEnding = 30;
const shortestStem = 5;
const longestEnding = 8;

/** Whether a word has this stem once a letter is added to its ending, or exchanged with the next one. */
function hasStem(word: string, term: string, languages: Iterable<string>) {
  const all = [...new Set([...languages, 'en'])];
  for (let at = term.length; at <= word.length; at++) {
    const [before, letter = '', next = '', after] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)];
    const added = [...'abcdefghijklmnopqrstuvwxyz'].map((each) => before + each + letter + next + after);
    for (const right of [...added, before + next + letter + after])
      if (all.some((language) => stem(right, language) === term)) return true;
  }
  return false;
}

/** How many errors a word of this length may have. */
export function mostErrors({ length }: string) {
  return Number(length >= shortestWithErrors) + Number(length >= shortestWithTwoErrors);
}

const shortestWithErrors = 5;
const shortestWithTwoErrors = 8;

/** Counts the letters to insert, leave out, replace, or exchange with their neighbour, to make one word of the other. */
export function countErrors(one: string, other: string) {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    for (let at = 1; at <= other.length; at++) {
      const replaced = (last[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1);
      let least = Math.min((last[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1, replaced);
      if (row > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1])
        least = Math.min(least, (before[at - 2] ?? least) + 1);
      now[at] = least;
    }
    before = last;
    last = now;
  }
  return last[other.length] ?? 0;
}
