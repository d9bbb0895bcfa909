import { mix32 } from '../domain/hash32.js';

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
