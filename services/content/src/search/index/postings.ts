import { type AskedWord, rarityOf, type Way } from '../query/asked-word.js';
import type { PreparedTerms } from './prepare.js';

/** The constants of BM25, as Lucene has them. */
const k1 = 1.2;
const b = 0.75;
/** What a text costs beside its terms, with its facts; and what a term costs in a text. Measured with Node 20. */
const bytesOf = { text: 400, place: 4, entry: 6, term: 200 };

const mostGone = 1000;

/** The words of texts in memory, and which texts fit a query by BM25. Texts have numbers. */
export class Postings {
  private readonly terms = new Map<string, number>();
  private readonly byLetter = new Map<string, string[]>();
  private readonly lists: PostingList[] = [];
  /** The terms of each text in their order; undefined if the text is gone. */
  private readonly sequences: (Uint32Array | undefined)[] = [];
  private readonly lengths: number[] = [];
  private allLengths = 0;
  private gone = 0;
  private entries = 0;
  private places = 0;
  /** The number of texts. */
  size = 0;

  get bytes(): number {
    const { text, place, entry, term } = bytesOf;
    return this.size * text + this.places * place + this.entries * entry + this.lists.length * term;
  }

  /** Adds a text: its terms in their order, and how often each counts. Returns its number. */
  add({ sequence, counts }: PreparedTerms): number {
    const text = this.sequences.push(Uint32Array.from(sequence, (term) => this.numberOf(term))) - 1;
    let length = 0;
    for (const [term, count] of counts) {
      this.lists[this.numberOf(term)]?.add(text, count);
      length += count;
    }
    this.lengths[text] = length;
    this.allLengths += length;
    this.size++;
    this.entries += counts.size;
    this.places += sequence.length;
    return text;
  }

  remove(text: number): void {
    const sequence = this.sequences[text];
    if (sequence === undefined) return;
    for (const term of new Set(sequence)) {
      const list = this.lists[term];
      // Its entry stays, and is skipped.
      if (list !== undefined) list.texts--;
    }
    this.sequences[text] = undefined;
    this.allLengths -= this.lengths[text] ?? 0;
    this.places -= sequence.length;
    this.size--;
    if (++this.gone > this.size + mostGone) this.compact();
  }

  /** In how many texts a term stands. */
  frequency = (term: string): number => this.textsWith(this.terms.get(term) ?? -1);

  /** Every term that begins with this letter and that a text has or had. */
  beginningWith(letter: string): readonly string[] {
    return this.byLetter.get(letter) ?? [];
  }

  /** The places of terms in a text. */
  placesOf(text: number, terms: ReadonlySet<string>): Map<string, number[]> {
    const wanted = new Map<number, number[]>();
    const found = new Map<string, number[]>();
    for (const term of terms) {
      const places: number[] = [];
      found.set(term, places);
      wanted.set(this.terms.get(term) ?? -1, places);
    }
    for (const [place, term] of (this.sequences[text] ?? []).entries()) wanted.get(term)?.push(place);
    return found;
  }

  /** Scores the texts that have a word of the query, in no order. `isIn` tells whether a way counts in a text. */
  score(query: readonly AskedWord[], isIn: (text: number, way: Way) => boolean = () => true): Map<number, number> {
    const scores = new Map<number, number>();
    const best = new Float32Array(this.sequences.length);
    for (const { ways, weight } of query) {
      const having: number[] = [];
      for (const way of ways) {
        this.scoreWay(way, (text, score) => {
          const before = best[text] ?? 0;
          if (score <= before || !isIn(text, way)) return;
          if (before === 0) having.push(text);
          best[text] = score;
        });
      }
      for (const text of having) {
        scores.set(text, (scores.get(text) ?? 0) + (best[text] ?? 0) * weight);
        best[text] = 0;
      }
    }
    return scores;
  }

  /** Notes what texts have of one way. */
  private scoreWay({ terms, weight }: Way, note: (text: number, score: number) => void): void {
    const numbers = terms.map((term) => this.terms.get(term) ?? -1);
    const [first = -1, ...others] = numbers.sort((one, other) => this.textsWith(one) - this.textsWith(other));
    const rarest = this.lists[first];
    if (rarest === undefined) return;
    const most = weight * rarityOf(rarest.texts, this.size);
    const mean = this.allLengths / this.size;
    for (const entry of rarest.entries()) {
      const text = textOf(entry);
      const sequence = this.sequences[text];
      if (sequence === undefined) continue;
      const count = others.length === 0 ? countOf(entry) : countTogether(sequence, first, others);
      const length = this.lengths[text] ?? 0;
      if (count > 0) note(text, (most * count) / (count + k1 * (1 - b + (b * length) / mean)));
    }
  }

  /** Drops the entries of texts that are gone. Without it many changes of few texts would fill the memory. */
  private compact(): void {
    this.gone = 0;
    this.entries = 0;
    for (const list of this.lists) {
      list.compact((text) => this.sequences[text] !== undefined);
      this.entries += list.texts;
    }
  }

  private textsWith(term: number): number {
    return this.lists[term]?.texts ?? 0;
  }

  private numberOf(term: string): number {
    const known = this.terms.get(term);
    if (known !== undefined) return known;
    const number = this.lists.push(new PostingList()) - 1;
    this.terms.set(term, number);
    const [letter = ''] = term;
    const alike = this.byLetter.get(letter) ?? [];
    alike.push(term);
    this.byLetter.set(letter, alike);
    return number;
  }
}

/** How often a term stands beside all of the others. Their order is free, and one other term may stand among them. */
function countTogether(sequence: Uint32Array, term: number, others: readonly number[]): number {
  const span = others.length + 1;
  let count = 0;
  for (let at = sequence.indexOf(term); at >= 0; at = sequence.indexOf(term, at + 1)) {
    const near = sequence.subarray(Math.max(0, at - span), at + span + 1);
    if (others.every((other) => near.includes(other))) count++;
  }
  return count;
}

/** The texts that have a term, and how often. Of an entry 24 bits are the number of the text, and the lower 8 the count. */
class PostingList {
  /** How many texts that are still there have the term. */
  texts = 0;
  private packed = new Uint32Array(1);
  private length = 0;

  add(text: number, count: number): void {
    if (this.length === this.packed.length) {
      const larger = new Uint32Array(this.length + Math.max(1, this.length >> 1));
      larger.set(this.packed);
      this.packed = larger;
    }
    this.packed[this.length++] = text * 256 + Math.min(count, mostCounted);
    this.texts++;
  }

  /** Leaves only the entries of texts that are still there. */
  compact(isThere: (text: number) => boolean): void {
    this.packed = this.entries().filter((entry) => isThere(textOf(entry)));
    this.length = this.packed.length;
  }

  /** Every entry, also of texts that are gone. */
  entries(): Uint32Array {
    return this.packed.subarray(0, this.length);
  }
}

const mostCounted = 255;

function textOf(entry: number): number {
  return entry >>> 8;
}

function countOf(entry: number): number {
  return entry & mostCounted;
}
