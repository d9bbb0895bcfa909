import type { IndexedFacts } from '../index/fact-columns.js';
import { FactColumns } from '../index/fact-columns.js';
import { fields } from '../index/prepare.js';
import type { TextKey } from '../index/search-text.js';

/** What a replica keeps in memory of a text whose words are in the database. */
export interface TabledText {
  readonly number: number;
  readonly facts: IndexedFacts;
  /** The number of different words in each field. */
  readonly lengths: readonly number[];
  /** How much memory the text would need in the index in memory. */
  readonly bytes: number;
}

/** What a replica keeps of all texts, by their numbers. It needs some 250 bytes for each text, however long the text is. */
export class TextTable {
  lengths = new Uint16Array(0);
  readonly facts = new FactColumns();
  private sizes = new Float64Array(0);
  private readonly free = new Set<number>();
  private readonly totals = new Float64Array(fields.length);

  /** An estimate of the memory that the table needs. */
  get bytes(): number {
    return this.facts.bytes + this.lengths.byteLength + this.sizes.byteLength;
  }

  /** How much memory a text would need in the index in memory. */
  bytesOf(text: number): number {
    return this.sizes[text] ?? 0;
  }

  averageLengths(): number[] {
    return [...this.totals].map((total) => total / Math.max(1, this.facts.size));
  }

  /** Numbers for new texts. A number is given again only long after its text is gone. */
  freeNumbers(count: number): number[] {
    const again = [...this.free].slice(0, Math.max(0, Math.min(count, this.free.size - keptFree)));
    const fresh = Array.from({ length: count - again.length }, (_, at) => this.facts.end + at);
    return [...again, ...fresh];
  }

  put({ number, facts, lengths, bytes }: TabledText): void {
    this.remove(facts.key);
    for (let free = this.facts.end; free < number; free++) this.free.add(free);
    this.free.delete(number);
    this.facts.put(number, facts);
    this.grow(number + 1);
    for (const [field, length] of lengths.entries()) this.setLength(number, field, length);
    this.sizes[number] = bytes;
  }

  remove(key: TextKey): void {
    const number = this.facts.numberOf(key);
    if (number === undefined) return;
    this.facts.remove(key);
    this.free.add(number);
    for (let field = 0; field < fields.length; field++) this.setLength(number, field, 0);
  }

  private grow(end: number): void {
    if (this.sizes.length >= end) return;
    const room = Math.ceil(end * 1.25) + 64;
    const lengths = new Uint16Array(room * fields.length);
    lengths.set(this.lengths);
    this.lengths = lengths;
    const sizes = new Float64Array(room);
    sizes.set(this.sizes);
    this.sizes = sizes;
  }

  private setLength(number: number, field: number, length: number): void {
    const at = number * fields.length + field;
    this.totals[field] = (this.totals[field] ?? 0) + length - (this.lengths[at] ?? 0);
    this.lengths[at] = length;
  }
}

/** The number of free numbers that wait. So no running query takes one text for another. */
const keptFree = 256;
