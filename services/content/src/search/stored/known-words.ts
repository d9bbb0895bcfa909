import { LRUCache } from 'lru-cache';
import { FrequentCache } from '../frequent-cache.js';
import type { Found } from '../index/found.js';
import type { BlockPostings } from './index-store.js';
import { byBlock, type ChangedTexts, withTexts } from './recent-texts.js';

/** What queries read from the stored index, so that the next ones need not read it again. Its memory is bounded. */
export class KnownWords {
  /** Grows with every change of the index. What was read before a change is not kept after it. */
  generation = 0;
  /** The texts of each term. A term that 100,000 texts have needs 0.3 MB. */
  private readonly postings: LRUCache<string, readonly BlockPostings[]>;
  /** The words of each text in their order. */
  private readonly sequences: FrequentCache<number, string>;
  /** What terms found. A change ends all of it, since each score depends on all texts. */
  private readonly found: FrequentCache<string, Found>;

  constructor(maxBytes: number) {
    this.postings = new LRUCache({
      maxSize: Math.floor(maxBytes * postingsShare),
      sizeCalculation: (blocks) => blocks.reduce((sum, { postings }) => sum + postings.length + blockBytes, entryBytes),
    });
    this.sequences = new FrequentCache(
      maxBytes * (1 - postingsShare - foundShare),
      (sequence) => sequence.length + entryBytes,
    );
    this.found = new FrequentCache(maxBytes * foundShare, bytesOfFound);
  }

  /** An estimate of the memory that it needs. */
  get bytes(): number {
    return this.postings.calculatedSize + this.sequences.bytes + this.found.bytes;
  }

  postingsOf(term: string): readonly BlockPostings[] | undefined {
    return this.postings.get(term);
  }

  sequenceOf(text: number): string | undefined {
    return this.sequences.get(text);
  }

  foundOf(name: string, generation: number): Found | undefined {
    return generation === this.generation ? this.found.get(name) : undefined;
  }

  keepFound(name: string, found: Found, generation: number): void {
    // What is asked for once is not kept, since a copy costs more than it spares.
    if (generation !== this.generation || this.found.timesAsked(name) < 2) return;
    if (this.found.takes(name, bytesOfFound(found)))
      this.found.set(name, { ...found, texts: found.texts.slice(), scores: found.scores.slice() });
  }

  keepPostings(term: string, blocks: readonly BlockPostings[], generation: number): void {
    if (generation !== this.generation) return;
    // The bytes of an answer of the database are parts of one large array, which would stay as a whole.
    const bytes = new Uint8Array(blocks.reduce((sum, each) => sum + each.postings.length, 0));
    let end = 0;
    const kept = blocks.map(({ block, postings }) => {
      const start = end;
      end += postings.length;
      bytes.set(postings, start);
      return { block, postings: bytes.subarray(start, end) };
    });
    this.postings.set(term, kept);
  }

  keepSequence(text: number, sequence: string, generation: number): void {
    if (generation === this.generation) this.sequences.set(text, sequence);
  }

  /** Changes what it has of these texts. Very many changes forget all postings. */
  change(texts: ChangedTexts): void {
    this.generation++;
    this.found.clear();
    for (const text of texts.keys()) this.sequences.delete(text);
    if (texts.size > mostChanged) {
      this.postings.clear();
      return;
    }
    const blocks = byBlock(texts);
    // A list, because each entry that is set again becomes the last one.
    for (const [term, known] of [...this.postings].reverse()) {
      const changed = withTexts(known, term, blocks);
      if (changed !== known) this.postings.set(term, changed);
    }
  }
}

const postingsShare = 0.4;
const foundShare = 0.4;
const entryBytes = 200;
const blockBytes = 130;
/** A look at all postings for one text takes about a millisecond. */
const mostChanged = 32;

function bytesOfFound({ texts, scores }: Found): number {
  return texts.byteLength + scores.byteLength + entryBytes;
}
