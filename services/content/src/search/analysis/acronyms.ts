/** Whether a word of a text is in capitals, such as an acronym. In a text without small letters that says nothing. */
export function isAcronymIn(text: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  return capitals.test(text.slice(start, end)) && (text.length === end - start || smallLetter.test(text));
}

// At least two.
const capitals = /^\p{Lu}[\p{Lu}\p{N}]+$/u;
const smallLetter = /\p{Ll}/u;

/** The term of an acronym that is a stop word in lower case, such as IT. Other terms have no capitals. */
export function acronymTerm(word: string): string {
  return word.toUpperCase();
}
