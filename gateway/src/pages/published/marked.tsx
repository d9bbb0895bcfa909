import type { Fragment } from '@knowledge/runtime/html';
import type { Hit } from '../../present/search.js';

/** Marks the words of a text that a search found in it. */
export type MarkWords = (text: string) => Fragment;

/** Makes the marker of a hit. It knows words in any case, with or without accents, as the search finds them. */
export function markWordsOf({ matched }: Pick<Hit, 'matched'>): MarkWords {
  const known = new Set(matched.flatMap(({ word, found }) => [word, ...found].flatMap(foldedWords)));
  if (known.size === 0) return (text) => text;
  // A split by a group keeps the words: they stand at the odd places.
  return (text) =>
    text.split(wordPattern).map((part, at) => (at % 2 === 1 && known.has(fold(part)) ? <mark>{part}</mark> : part));
}

const wordPattern = /([\p{L}\p{N}\p{M}]+)/u;

// Short words of a phrase, such as `of`, are not marked, since they stand everywhere.
function foldedWords(form: string): string[] {
  const words = form.split(wordPattern).filter((_, at) => at % 2 === 1);
  return words.filter((word) => words.length === 1 || word.length > 3).map(fold);
}

function fold(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
}
