/** All prepared words of the texts, for beginnings and other spellings. */
export interface Vocabulary {
  readonly size: number;
  /** Whether a word that it lacks may be in a text, because there are too many words. */
  readonly isFull: boolean;
  has(term: string): boolean;
  learn(term: string): void;
  /** The shortest of the terms that begin with these two or more letters and are longer. */
  beginning(prefix: string): readonly string[];
  /** The terms that differ by 1 to `distance` letters, the most similar ones first. */
  similar(term: string, distance: number): readonly { readonly term: string; readonly distance: number }[];
}

/** The largest number of terms; they need about 40 MB. Further ones have no other spellings. */
const maxTerms = 400_000;
/** The number of terms that stand for one word of a query. */
const maxFound = 100;

export function createVocabulary(): Vocabulary {
  const terms = new Set<string>();
  const byLength: EqualLength[] = [];
  return {
    get size() {
      return terms.size;
    },
    get isFull() {
      return terms.size >= maxTerms;
    },
    has: (term) => terms.has(term),
    learn(term) {
      if (terms.has(term) || terms.size >= maxTerms) return;
      terms.add(term);
      let equal = byLength[term.length];
      if (equal === undefined) {
        equal = { terms: [], letters: new Uint32Array(16), beginnings: new Uint32Array(16) };
        byLength[term.length] = equal;
      }
      if (equal.terms.length === equal.letters.length) {
        equal.letters = larger(equal.letters);
        equal.beginnings = larger(equal.beginnings);
      }
      equal.letters[equal.terms.length] = lettersOf(term);
      equal.beginnings[equal.terms.length] = beginningOf(term);
      equal.terms.push(term);
    },
    beginning(prefix) {
      const wanted = beginningOf(prefix);
      const found: string[] = [];
      for (let length = prefix.length + 1; length < byLength.length && found.length < maxFound; length++) {
        const { terms: each = [], beginnings = new Uint32Array(0) } = byLength[length] ?? {};
        const own: string[] = [];
        for (let at = 0; at < each.length; at++) {
          const term = each[at] ?? '';
          if (beginnings[at] === wanted && term.startsWith(prefix)) own.push(term);
        }
        found.push(...own.sort());
      }
      return found.slice(0, maxFound);
    },
    similar(term, distance) {
      const wanted = lettersOf(term);
      const found: { term: string; distance: number }[] = [];
      for (let length = Math.max(1, term.length - distance); length <= term.length + distance; length++) {
        const equal = byLength[length];
        if (equal === undefined) continue;
        const { letters } = equal;
        for (let at = 0; at < equal.terms.length; at++) {
          // A changed letter changes at most two bits.
          if (bits((letters[at] ?? 0) ^ wanted) > 2 * distance) continue;
          const other = equal.terms[at] ?? '';
          const away = editDistance(term, other, distance);
          if (away > 0 && away <= distance) found.push({ term: other, distance: away });
        }
      }
      return found.sort((a, b) => a.distance - b.distance || (a.term < b.term ? -1 : 1)).slice(0, maxFound);
    },
  };
}

/** The terms of one length, side by side. */
interface EqualLength {
  readonly terms: string[];
  /** The letters of each term as bits. Terms that differ in many letters need no further comparison. */
  letters: Uint32Array;
  /** The first two letters of each term as a number, since most terms begin like no other. */
  beginnings: Uint32Array;
}

function larger(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(numbers.length * 2);
  more.set(numbers);
  return more;
}

function beginningOf(term: string): number {
  return term.charCodeAt(0) * 0x10000 + term.charCodeAt(1);
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

// The comparison of two words uses the rows of the last one again.
let rows: [Uint16Array, Uint16Array] = [new Uint16Array(0), new Uint16Array(0)];

/** The number of letters to add, remove or replace; more than `most` if it is larger than that. */
function editDistance(one: string, other: string, most: number): number {
  const width = other.length + 1;
  if (rows[0].length < width) rows = [new Uint16Array(2 * width), new Uint16Array(2 * width)];
  let [before, line] = rows;
  for (let column = 0; column < width; column++) before[column] = column;
  for (let row = 1; row <= one.length; row++) {
    line[0] = row;
    let least = row;
    const letter = one.charCodeAt(row - 1);
    for (let column = 1; column < width; column++) {
      const replaced = (before[column - 1] ?? 0) + (letter === other.charCodeAt(column - 1) ? 0 : 1);
      const value = Math.min(replaced, (before[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1);
      line[column] = value;
      if (value < least) least = value;
    }
    if (least > most) return most + 1;
    [before, line] = [line, before];
  }
  return before[other.length] ?? most + 1;
}
