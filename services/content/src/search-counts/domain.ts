import { isIPv6 } from 'node:net';
import { containsAddress, withoutHiddenCharacters } from '@knowledge/runtime';

const most = { words: 12, wordLength: 40, digits: 5 } as const;
/** The check for addresses is costly for long texts, and a longer query is hardly an address alone. */
const checkedLength = 200;

/**
 * Returns the words under which a search is counted: in lower case, without signs, at most twelve. Undefined if the query
 * has no words, or may name a person or a secret: it has an address, a long number or a very long word.
 */
export function countedWords(query: string) {
  const plain = withoutHiddenCharacters(query.normalize('NFKC')).toLowerCase();
  if (address.test(plain) || containsAddress(plain.slice(0, checkedLength))) return undefined;
  if (longNumber.test(plain) || plain.split(/[\s[\]/%]+/).some(isIPv6)) return undefined;
  const words = plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (words.length === 0 || words.some(mayBeSecret)) return undefined;
  return words.slice(0, most.words).join(' ');
}

const address = /@|:\/\/|www\./;

/** More than five digits, with what people write between them. So telephone numbers, cards, birthdays and IPv4 addresses have. */
const longNumber = /\p{N}(?:[^\p{L}\p{N}]{0,3}\p{N}){5}/u;

function mayBeSecret(word: string) {
  return word.length > most.wordLength || (word.match(/\p{N}/gu)?.length ?? 0) > most.digits;
}

/** A search that is counted. */
export interface CountedSearch {
  readonly words: string;
  /** A hash that tells readers apart. It is not stored. */
  readonly reader: string;
  readonly event: 'found' | 'not_found' | 'read';
}

const readerNumbers = 64;

/**
 * A reader as one of 64 numbers, made of a byte of a keyed hash. Many other readers have the same one. So a set of them tells about
 * how many readers there were, and not who.
 */
export function readerNumber(byte = 0) {
  return byte % readerNumbers;
}

/** The readers of one search in one week. */
export interface WeekCount {
  readonly words: string;
  /** All readers. */
  readonly searched: readonly number[];
  /** Those who found nothing that fits. */
  readonly missed: readonly number[];
  /** Those who read what they found. */
  readonly read: readonly number[];
}

/** The number of different readers in a week from which on their words are readable. */
export const leastShownReaders = 5;

/**
 * Lists how searches went, those first that most readers did not find or did not read. Weeks cannot be added, since each
 * week tells readers apart in its own way, so each search shows its week with the most readers.
 */
export function searchGaps(weeks: readonly WeekCount[], limit: number) {
  const gaps = new Map<string, SearchGap>();
  for (const week of weeks.filter(({ searched }) => searched.length >= leastShownReaders)) {
    const gap = gapOf(week);
    if (gap.readers > (gaps.get(week.words)?.readers ?? 0)) gaps.set(week.words, gap);
  }
  return [...gaps.values()].sort(byMissing).slice(0, limit);
}

/** How a search went, in numbers of different readers. */
function gapOf({ words, searched, missed, read }: WeekCount) {
  const notRead = searched.filter((reader) => !missed.includes(reader) && !read.includes(reader));
  return {
    words,
    readers: estimateReaders(searched),
    notFound: estimateReaders(missed),
    notRead: estimateReaders(notRead),
  };
}

type SearchGap = ReturnType<typeof gapOf>;

/** Estimates the number of readers by linear counting. It is too low above 200. */
export function estimateReaders({ length }: readonly number[]) {
  return Math.round(readerNumbers * Math.log(readerNumbers / Math.max(1, readerNumbers - length)));
}

function byMissing(a: SearchGap, b: SearchGap) {
  const missing = b.notFound + b.notRead - (a.notFound + a.notRead);
  return missing || b.readers - a.readers || (a.words < b.words ? -1 : 1);
}
