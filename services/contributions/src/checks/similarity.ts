import { looseWords, plainText, readMarkdown } from '@knowledge/runtime/markdown';
import type { Contribution } from '../domain/contribution.js';
import { foldText, mix32 } from '../domain/search-terms.js';

/**
 * The hashed shingles of a text: each sequence of 8 characters of its folded words, as readers get them. A script
 * without spaces has more to say in fewer characters, so its sequences have 3.
 */
export function shinglesOf(text: string, read = readMarkdown(text)): Set<number> {
  const folded = foldText(plainText(text, '', read))
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  const dense = (folded.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu) ?? []).length;
  const size = Math.max(1, Math.min(dense * 2 > folded.length ? 3 : 8, folded.length));
  const shingles = new Set<number>();
  for (let from = 0; from + size <= folded.length && folded !== ''; from++) {
    let hash = 0;
    for (let at = from; at < from + size; at++) hash = (Math.imul(hash, 0x01000193) + folded.charCodeAt(at)) | 0;
    shingles.add(mix32(hash));
  }
  return shingles;
}

/** The share of the shingles of both texts that both have (Jaccard), in whole percent. Different texts have at most 99. */
export function similarity(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  if (large.size === 0) return 0;
  let shared = 0;
  for (const shingle of small) if (large.has(shingle)) shared++;
  const share = (100 * shared) / (one.size + other.size - shared);
  return share === 100 ? 100 : Math.min(99, Math.round(share));
}

/** The number of bands, each of this many rows. Texts that share 60 % of their shingles share a band nine times of ten. */
const bandCount = 16;
const rows = 4;

/**
 * The bands of the MinHash of a text. Two texts that are nearly equal have at least one band in common, and other texts
 * seldom have. A text without letters has none.
 */
export function bandsOf(shingles: ReadonlySet<number>): number[] {
  if (shingles.size === 0) return [];
  const least = new Int32Array(bandCount * rows).fill(0x7fffffff);
  for (const shingle of shingles) {
    for (let at = 0; at < least.length; at++) {
      // Each row mixes in a seed of its own, which gives another order of all shingles.
      let hash = Math.imul(shingle ^ (seeds[at] ?? 0), 0x2c1b3c6d);
      hash = Math.imul(hash ^ (hash >>> 15), 0x297a2d39);
      if (hash < (least[at] ?? 0)) least[at] = hash;
    }
  }
  return Array.from({ length: bandCount }, (_, band) => {
    let hash = band;
    for (let row = 0; row < rows; row++) hash = mix32(Math.imul(hash, 31) + (least[band * rows + row] ?? 0));
    return hash;
  });
}

const seeds = Int32Array.from({ length: bandCount * rows }, (_, at) => mix32((at + 1) * 0x9e3779b1));

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
