import { plainText, readMarkdown } from '@knowledge/runtime/markdown';
import { foldText } from '../domain/fold-text.js';
import { mix32 } from '../domain/hash32.js';

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
