/** Says why nothing can be found by the words of a query. It is null if there is a word to search by. */
export function searchHint(query: string, hasNoWords: boolean): string | null {
  if (!hasNoWords) return null;
  return /[\p{L}\p{N}]/u.test(query) ? tooCommon : noWord;
}

const tooCommon =
  'All words of q are too common or too short to search by, such as the, what or a single letter. Add a word that names what you look for.';
const noWord = 'q has no word to search by. Send words that name what you look for.';
