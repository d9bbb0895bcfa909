/** The texts that have a term, and how often. Of an entry 24 bits are the number of the text, and the lower 8 the count. */
export class PostingList {
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

  /** A text that has the term is gone. Its entry stays, and is skipped. */
  forget(): void {
    this.texts--;
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

export function textOf(entry: number): number {
  return entry >>> 8;
}

export function countOf(entry: number): number {
  return entry & mostCounted;
}
