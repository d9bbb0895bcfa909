/** Lists the terms of the index that differ from a term by at most this number of letters. */
export type SimilarTerms = (term: string, distance: number) => readonly string[];

/**
 * Finds the terms of the index that a misspelled word most likely means. They have the fewest errors, compared with the
 * term of the word in each language. Two letters in the wrong order are one error. A short word has no errors, since too many others are
 * near it, and the beginning of a word is right.
 */
export function closestTerms<Own extends { readonly term: string }>(
  word: string,
  terms: readonly Own[],
  similar: SimilarTerms,
): Own[] {
  if (mostErrors(word) === 0) return [];
  const found: { errors: number; own: Own }[] = [];
  for (const own of terms) {
    // A stem is shorter than its word, so as many errors make another word of it: lead is not leasing.
    const most = Math.min(mostErrors(word), mostErrors(own.term));
    // Two exchanged letters are two differences.
    for (const term of similar(own.term, 2)) {
      const errors = countErrors(own.term, term);
      // A term without errors belongs to a word of another language.
      if (errors > 0 && errors <= most && term.slice(0, errors) === own.term.slice(0, errors))
        found.push({ errors, own: { ...own, term } });
    }
  }
  const least = Math.min(...found.map(({ errors }) => errors));
  return found.flatMap(({ errors, own }) => (errors === least ? [own] : []));
}

/** How many errors a word of this length may have. */
export function mostErrors(word: string): number {
  if (word.length < shortestWithErrors) return 0;
  return word.length < shortestWithTwoErrors ? 1 : 2;
}

const shortestWithErrors = 5;
const shortestWithTwoErrors = 8;

/** Counts the letters to insert, leave out, replace, or exchange with their neighbour, to make one word of the other. */
export function countErrors(one: string, other: string): number {
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
