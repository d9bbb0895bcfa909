/** Lists the terms of the index that differ from a term by at most this number of letters. */
export type SimilarTerms = (term: string, distance: number) => readonly string[];

/**
 * Finds the terms of the index that a misspelled word most likely means: those with the fewest errors. Two letters in the
 * wrong order are one error. The first letter is rarely wrong, so it counts twice.
 */
export function closestTerms(terms: readonly string[], similar: SimilarTerms): string[] {
  const errors = new Map<string, number>();
  for (const term of terms) {
    const most = term.length < shortestWithTwoErrors ? 1 : 2;
    // Two exchanged letters are two differences.
    for (const other of similar(term, 2)) {
      const count = countErrors(term, other) + (other[0] === term[0] ? 0 : 1);
      if (count <= most && count < (errors.get(other) ?? Number.POSITIVE_INFINITY)) errors.set(other, count);
    }
  }
  const least = Math.min(...errors.values());
  return [...errors].flatMap(([term, count]) => (count === least ? [term] : []));
}

const shortestWithTwoErrors = 6;

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
