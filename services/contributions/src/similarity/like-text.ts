import { looseWords, readMarkdown } from '@knowledge/runtime/markdown';
import type { Contribution } from '../domain/contribution.js';
import { shinglesOf } from './shingles.js';

/** A published text that has much of another one. */
export interface LikeText {
  readonly about: NonNullable<Contribution['about']>;
  /** How many of 100 shingles of the other text it has. */
  readonly percent: number;
}

/** Shorter texts are no copies: a sentence can stand in many texts. */
const leastShingles = 120;

/** The shingles by which a copy of a published text is known; undefined if there are too few. */
export function copiedShingles(text: string): ReadonlySet<number> | undefined {
  const shingles = shinglesOf(text);
  return shingles.size < leastShingles ? undefined : shingles;
}

/** How many of 100 shingles stand in a text, whatever else stands there. */
export function percentIn(text: string, shingles: ReadonlySet<number>): number {
  const theirs = shinglesOf(text);
  let shared = 0;
  for (const shingle of shingles) if (theirs.has(shingle)) shared++;
  return Math.floor((100 * shared) / shingles.size);
}

/**
 * The words with which a search finds the text that this one was copied from. They are the longest of each third, so that
 * a part of it is enough. A script without spaces gives pieces of sentences.
 */
export function searchFor(text: string): string {
  const words = (looseWords(readMarkdown(text)).match(/[\p{L}\p{M}\p{N}]{4,}/gu) ?? []).map((word) =>
    word.slice(0, 24),
  );
  const third = Math.ceil(words.length / 3);
  const longest = [0, 1, 2].flatMap((part) =>
    [...new Set(words.slice(part * third, (part + 1) * third))]
      .sort((one, other) => other.length - one.length)
      .slice(0, 4),
  );
  return longest.join(' ');
}
