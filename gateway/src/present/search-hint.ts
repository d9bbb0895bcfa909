import type { SearchResponse } from '@knowledge/proto/knowledge/content/v1/search';

/** Says why the words of a query find nothing, or nothing that fits. It is null if something fits, or nothing was found. */
export function searchHint(
  query: string,
  { noWords, allWeak }: Pick<SearchResponse, 'noWords' | 'allWeak'>,
): string | null {
  if (noWords) return hasLetters(query) ? tooCommon : noWord;
  return allWeak ? onlyWeak : null;
}

/** Whether a query has anything but signs. */
export function hasLetters(query: string): boolean {
  return /[\p{L}\p{N}]/u.test(query);
}

const tooCommon =
  'All words of q are too common or too short to search by, such as the, what, people or a single letter. Add a word that names what you look for.';
const noWord = 'q has no word to search by. Send words that name what you look for.';
const onlyWeak =
  'All hits here are weak: mostly that means that no text is about q. Read their snippets, since sometimes the first does fit; else try other words.';
