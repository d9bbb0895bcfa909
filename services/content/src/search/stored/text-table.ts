import { fields } from '../index/prepare.js';
import type { TextKey } from '../index/search-text.js';
import type { IndexedFacts } from '../index/text-index.js';

/** What a replica keeps in memory of a text whose words are in the database. */
export interface TabledText {
  readonly number: number;
  readonly facts: IndexedFacts;
  /** The number of different words in each field. */
  readonly lengths: readonly number[];
  /** How much memory the text would need in the index in memory. */
  readonly bytes: number;
}

/** The facts of all texts by their numbers. It needs some 500 bytes for each text, however long the text is. */
export class TextTable {
  /** How much memory all texts would need in the index in memory. */
  textBytes = 0;
  lengths = new Uint16Array(0);
  private readonly texts: (TabledText | undefined)[] = [];
  private readonly numbers = new Map<TextKey, number>();
  private readonly free = new Set<number>();
  private readonly languageCounts = new Map<string, number>();
  private readonly totals = new Float64Array(fields.length);
  // Equal values share one string or array.
  private readonly shared = new Map<string, unknown>();

  get size(): number {
    return this.numbers.size;
  }

  get endOfNumbers(): number {
    return this.texts.length;
  }

  get languages(): readonly string[] {
    return [...this.languageCounts.keys()];
  }

  /** An estimate of the memory that the table needs. */
  get bytes(): number {
    return this.size * bytesPerText + this.lengths.byteLength;
  }

  numberOf(key: TextKey): number | undefined {
    return this.numbers.get(key);
  }

  facts(text: number): IndexedFacts | undefined {
    return this.texts[text]?.facts;
  }

  text(number: number): TabledText | undefined {
    return this.texts[number];
  }

  averageLengths(): number[] {
    return [...this.totals].map((total) => total / Math.max(1, this.size));
  }

  /** Numbers for new texts. A number is given again only long after its text is gone. */
  freeNumbers(count: number): number[] {
    const again = [...this.free].slice(0, Math.max(0, Math.min(count, this.free.size - keptFree)));
    const fresh = Array.from({ length: count - again.length }, (_, at) => this.texts.length + at);
    return [...again, ...fresh];
  }

  put(text: TabledText): void {
    const { number, facts, lengths } = text;
    this.remove(facts.key);
    this.grow(number + 1);
    const { tags, language, author, ...rest } = facts;
    const lean = { ...rest, tags: this.share(tags), language: this.share(language), author: this.share(author) };
    this.texts[number] = { number, facts: lean, lengths: noLengths, bytes: text.bytes };
    this.numbers.set(facts.key, number);
    for (const [field, length] of lengths.entries()) this.count(number, field, length);
    this.textBytes += text.bytes;
    this.languageCounts.set(language, (this.languageCounts.get(language) ?? 0) + 1);
    this.free.delete(number);
  }

  remove(key: TextKey): void {
    const number = this.numbers.get(key);
    const text = number === undefined ? undefined : this.texts[number];
    if (number === undefined || text === undefined) return;
    this.numbers.delete(key);
    this.texts[number] = undefined;
    this.free.add(number);
    for (let field = 0; field < fields.length; field++) this.count(number, field, 0);
    this.textBytes -= text.bytes;
    const { language } = text.facts;
    const count = (this.languageCounts.get(language) ?? 0) - 1;
    if (count > 0) this.languageCounts.set(language, count);
    else this.languageCounts.delete(language);
  }

  private grow(end: number): void {
    if (this.lengths.length < end * fields.length) {
      const lengths = new Uint16Array(Math.ceil(end * 1.25 + 64) * fields.length);
      lengths.set(this.lengths);
      this.lengths = lengths;
    }
    while (this.texts.length < end) {
      if (this.texts.length < end - 1) this.free.add(this.texts.length);
      this.texts.push(undefined);
    }
  }

  private count(number: number, field: number, length: number): void {
    const at = number * fields.length + field;
    this.totals[field] = (this.totals[field] ?? 0) + length - (this.lengths[at] ?? 0);
    this.lengths[at] = length;
  }

  private share<Value extends string | readonly string[]>(value: Value): Value {
    const name = typeof value === 'string' ? value : value.join(' ');
    const known = this.shared.get(name);
    if (known !== undefined && typeof known === typeof value) return known as Value;
    if (this.shared.size < maxShared) this.shared.set(name, value);
    return value;
  }
}

const bytesPerText = 500;
const maxShared = 50_000;
const noLengths: readonly number[] = [];
/** The number of free numbers that wait. So no running query takes one text for another. */
const keptFree = 256;
