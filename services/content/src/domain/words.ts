export function countWords(text: string): number {
  return wordsOf(text).length;
}

/** Lists the words of a text. A word has letters and digits; an apostrophe, hyphen or point may only be inside. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+(?:['’.-][\p{L}\p{N}\p{M}]+)*/gu) ?? [];
}

/**
 * Returns the beginning of a text on one line. It has only whole words, and at most `max` code points with the
 * ellipsis.
 */
export function excerpt(text: string, max = 240): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const points = [...line];
  if (points.length <= max) return line;
  const cut = points.slice(0, max - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > cut.length / 2 ? cut.slice(0, space) : cut).replace(/[\s\p{P}]+$/u, '')}…`;
}
