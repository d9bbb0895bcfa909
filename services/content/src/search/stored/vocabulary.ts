/** All prepared words of the texts, for beginnings and other spellings. */
export interface Vocabulary {
  readonly size: number;
  /** Whether a word that it lacks may be in a text, because there are too many words. */
  readonly isFull: boolean;
  has(term: string): boolean;
  learn(term: string): void;
  /** The shortest of the terms that begin like this and are longer. */
  beginning(prefix: string): readonly string[];
  /** The terms that differ by 1 to `distance` letters, the most similar ones first. */
  similar(term: string, distance: number): readonly { readonly term: string; readonly distance: number }[];
}

/** The largest number of terms; they need about 40 MB. Further ones have no other spellings. */
const maxTerms = 400_000;
/** The number of terms that stand for one word of a query. */
const maxFound = 100;

export function createVocabulary(): Vocabulary {
  const places = new Map<string, number>();
  const terms: string[] = [];
  // The places of the terms of each length.
  const byLength: number[][] = [];
  // The letters of each term as bits. Terms that differ in many letters need no further comparison.
  let letters = new Uint32Array(1024);
  return {
    get size() {
      return terms.length;
    },
    get isFull() {
      return terms.length >= maxTerms;
    },
    has: (term) => places.has(term),
    learn(term) {
      if (places.has(term) || terms.length >= maxTerms) return;
      if (terms.length === letters.length) {
        const more = new Uint32Array(letters.length * 2);
        more.set(letters);
        letters = more;
      }
      letters[terms.length] = lettersOf(term);
      places.set(term, terms.length);
      const equal = byLength[term.length];
      if (equal === undefined) byLength[term.length] = [terms.length];
      else equal.push(terms.length);
      terms.push(term);
    },
    beginning(prefix) {
      const found = terms.filter((term) => term.length > prefix.length && term.startsWith(prefix));
      return found.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, maxFound);
    },
    similar(term, distance) {
      const wanted = lettersOf(term);
      const found: { term: string; distance: number }[] = [];
      for (let length = Math.max(1, term.length - distance); length <= term.length + distance; length++) {
        const equal = byLength[length] ?? [];
        for (let place = 0; place < equal.length; place++) {
          const at = equal[place] ?? 0;
          // A changed letter changes at most two bits.
          if (bits((letters[at] ?? 0) ^ wanted) > 2 * distance) continue;
          const other = terms[at] ?? '';
          const away = editDistance(term, other, distance);
          if (away > 0 && away <= distance) found.push({ term: other, distance: away });
        }
      }
      return found.sort((a, b) => a.distance - b.distance || (a.term < b.term ? -1 : 1)).slice(0, maxFound);
    },
  };
}

function lettersOf(term: string): number {
  let mask = 0;
  for (let at = 0; at < term.length; at++) mask |= 1 << (term.charCodeAt(at) & 31);
  return mask >>> 0;
}

function bits(value: number): number {
  let rest = value - ((value >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** The number of letters to add, remove or replace; more than `most` if it is larger than that. */
function editDistance(one: string, other: string, most: number): number {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    let least = row;
    for (let column = 1; column <= other.length; column++) {
      const replaced = (before[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      const value = Math.min(replaced, (before[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1);
      line.push(value);
      if (value < least) least = value;
    }
    if (least > most) return most + 1;
    before = line;
  }
  return before[other.length] ?? most + 1;
}
