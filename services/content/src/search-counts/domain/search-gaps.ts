import { estimateReaders, leastReaders, type Sketch } from './sketch.js';

/** What happened to a search. */
export type SearchEvent = 'found' | 'not_found' | 'read';

/** A search that is counted. */
export interface CountedSearch {
  readonly words: string;
  /** A hash that tells readers apart. It is not stored. */
  readonly reader: string;
  readonly event: SearchEvent;
}

/** The readers of one search in one week. */
export interface WeekCount {
  readonly words: string;
  /** All readers. */
  readonly searched: Sketch;
  /** Those who found nothing that fits. */
  readonly missed: Sketch;
  /** Those who read what they found. */
  readonly read: Sketch;
}

/** How a search went, in numbers of different readers. */
export interface SearchGap {
  readonly words: string;
  readonly readers: number;
  readonly notFound: number;
  readonly notRead: number;
}

/** The number of different readers in a week from which on their words are readable. */
export const leastShownReaders = 5;

/**
 * Lists how searches went, those first that most readers did not find or did not read. Weeks cannot be added, since each
 * week tells readers apart in its own way, so each search shows its week with the most readers.
 */
export function searchGaps(weeks: Iterable<WeekCount>, limit: number): SearchGap[] {
  const gaps = new Map<string, SearchGap>();
  for (const week of weeks) {
    if (leastReaders(week.searched) < leastShownReaders) continue;
    const gap = gapOf(week);
    const other = gaps.get(week.words);
    if (other === undefined || other.readers < gap.readers) gaps.set(week.words, gap);
  }
  return [...gaps.values()].sort(byMissing).slice(0, limit);
}

function gapOf({ words, searched, missed, read }: WeekCount): SearchGap {
  const notRead = searched & ~missed & ~read;
  return {
    words,
    readers: estimateReaders(searched),
    notFound: estimateReaders(missed),
    notRead: estimateReaders(notRead),
  };
}

function byMissing(a: SearchGap, b: SearchGap): number {
  const missing = b.notFound + b.notRead - (a.notFound + a.notRead);
  return missing || b.readers - a.readers || (a.words < b.words ? -1 : 1);
}
