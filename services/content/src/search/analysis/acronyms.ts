/** Whether a word as written is in capitals, such as an acronym. */
export function isCapitals(written: string): boolean {
  return written.length > 1 && capitals.test(written);
}

const capitals = /^\p{Lu}[\p{Lu}\p{N}]*$/u;

/** The term of an acronym that is a stop word in lower case, such as IT. Other terms have no capitals. */
export function acronymTerm(word: string): string {
  return word.toUpperCase();
}
