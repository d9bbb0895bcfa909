export function countWords(text: string): number {
  return wordsOf(text).length;
}

/** Lists the words of a text. A word has letters and digits; an apostrophe, hyphen or point may only be inside. */
export function wordsOf(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{N}\p{M}]+(?:['’.-][\p{L}\p{N}\p{M}]+)*/gu) ?? [];
  return words.flatMap((word) => (spaceless.test(word) ? segmentsOf(word) : word));
}

// Scripts without spaces between words.
const spaceless = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

function segmentsOf(run: string) {
  return Array.from(segmenter.segment(run)).flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []));
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
