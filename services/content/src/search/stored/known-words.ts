import { LRUCache } from 'lru-cache';
import type { Found } from '../index/text-index.js';

/** What queries found in the stored index, so that the next ones need not read it again. Its memory is bounded. */
export class KnownWords {
  /** Grows with every change of the index. What was read before a change is not kept after it. */
  generation = 0;
  /** The texts of each term. A term that 100,000 texts have needs 1.2 MB. */
  private readonly found: LRUCache<string, Found>;
  /** The words of each text in their order. */
  private readonly sequences: LRUCache<number, string>;

  constructor(maxBytes: number) {
    this.found = new LRUCache({
      maxSize: Math.floor(maxBytes * foundShare),
      sizeCalculation: ({ texts, scores }) => texts.byteLength + scores.byteLength + entryBytes,
    });
    this.sequences = new LRUCache({
      maxSize: Math.floor(maxBytes * (1 - foundShare)),
      sizeCalculation: (sequence) => sequence.length + entryBytes,
    });
  }

  /** An estimate of the memory that it needs. */
  get bytes(): number {
    return this.found.calculatedSize + this.sequences.calculatedSize;
  }

  textsOf(term: string): Found | undefined {
    return this.found.get(term);
  }

  sequenceOf(text: number): string | undefined {
    return this.sequences.get(text);
  }

  keepTexts(term: string, found: Found, generation: number): void {
    if (generation === this.generation) this.found.set(term, found);
  }

  keepSequence(text: number, sequence: string, generation: number): void {
    if (generation === this.generation) this.sequences.set(text, sequence);
  }

  /** Forgets what a change of these texts makes outdated. The scores of all others depend on their number and lengths. */
  change(texts: readonly number[]): void {
    this.generation++;
    this.found.clear();
    for (const text of texts) this.sequences.delete(text);
  }
}

const foundShare = 0.75;
const entryBytes = 200;
