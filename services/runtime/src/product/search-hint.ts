/** What a search found, as far as its hint says something about it. */
interface FoundTexts {
  /** Whether the query has no word to search by. */
  readonly noWords: boolean;
  /** Whether there are hits, and all of them are weak. */
  readonly allWeak: boolean;
  readonly total?: number;
  /** A better spelling of the query, which is shown; empty if there is none. */
  readonly didYouMean?: string;
  /** The hits of other sites that are not weak. */
  readonly otherSites?: readonly { readonly total: number }[];
}

/**
 * Tells a reader what to do next if a search finds nothing, or nothing that fits; null if something fits. A filter
 * without a value is not set.
 */
export function hintOf(query: string, found: FoundTexts, filters: Readonly<Record<string, string>>): string | null {
  const { noWords, allWeak, total = 0, didYouMean = '', otherSites = [] } = found;
  if (total > 0 && !allWeak) return null;
  if (noWords) return hasLetters(query) ? tooCommon : noWord;
  const names = Object.keys(filters).filter((name) => filters[name] !== '');
  const steps = [
    didYouMean !== '' && 'Search with the better spelling first.',
    otherSites.some((other) => other.total > 0) && 'The other site has texts that fit: search there.',
    names.length > 0 && `Search without the filter ${names.join(', ')}.`,
    total === 0 && 'Try fewer or other words, or another language.',
  ];
  return [total === 0 ? 'Nothing was found.' : onlyWeak, ...steps].filter(Boolean).join(' ');
}

/** Whether a query has anything but signs. */
function hasLetters(query: string) {
  return /[\p{L}\p{N}]/u.test(query);
}

const tooCommon =
  'All words are too common or too short to search by, such as the, what, people or a single letter. Add a word that names what you look for.';
const noWord = 'There is no word to search by. Write words that name what you look for.';
const onlyWeak =
  'All hits here are weak: mostly that means that no text is about the question. Read their snippets, since sometimes the first does fit; else try other words or another language.';
