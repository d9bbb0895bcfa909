import { blockSize } from './documents.js';
import type { BlockPostings } from './index-store.js';
import { changePostings, hasSlot } from './postings.js';
import { countTerms, type TextWords } from './text-words.js';

/** A changed text whose words are not in the stored postings yet. */
export interface RecentText {
  readonly words: TextWords;
  /** How often each field has each term. */
  readonly counts: ReadonlyMap<string, readonly number[]>;
}

export function recentText(words: TextWords): RecentText {
  const counts = new Map<string, readonly number[]>();
  for (const [term, each] of countTerms(words)) counts.set(term, shared(each));
  return { words, counts };
}

const known = new Map<string, readonly number[]>();
const mostKnown = 5000;

/** Most terms have the same few counts, so that one array for each needs much less memory. */
function shared(counts: readonly number[]): readonly number[] {
  const name = counts.join();
  const one = known.get(name);
  if (one !== undefined || known.size === mostKnown) return one ?? counts;
  known.set(name, counts);
  return counts;
}

/** Texts by their numbers; undefined for one that is gone. */
export type ChangedTexts = ReadonlyMap<number, RecentText | undefined>;

/** The texts of the steps that are not merged. What a query reads from the database is wrong about them. */
export class RecentTexts {
  /** The map never changes, so a query can keep it while it reads. */
  current: ChangedTexts = new Map();
  /** An estimate of the memory that it needs. */
  bytes = 0;
  /** When the first and the last of them changed, by `performance.now()`. */
  firstAt = 0;
  lastAt = 0;
  /** The position of the last change of each text. */
  private readonly positions = new Map<number, number>();

  get size(): number {
    return this.current.size;
  }

  put(texts: ChangedTexts, position: number): void {
    this.lastAt = performance.now();
    if (this.size === 0) this.firstAt = this.lastAt;
    this.current = new Map([...this.current, ...texts]);
    for (const text of texts.keys()) this.positions.set(text, position);
    this.measure();
  }

  /** Forgets the texts whose last change is merged. */
  drop(merged: number): void {
    const dropped = [...this.positions].filter(([, position]) => position <= merged);
    if (dropped.length === 0) return;
    this.firstAt = performance.now();
    for (const [text] of dropped) this.positions.delete(text);
    this.current = new Map([...this.current].filter(([text]) => this.positions.has(text)));
    this.measure();
  }

  private measure(): void {
    this.bytes = [...this.current.values()].reduce((sum, text) => sum + bytesOf(text), 0);
  }
}

const bytesPerTerm = 80;

function bytesOf(text: RecentText | undefined): number {
  if (text === undefined) return bytesPerTerm;
  return text.words.prepared.length + text.words.german.length + text.counts.size * bytesPerTerm;
}

/** Changed texts by their blocks and slots. */
export type ChangedBlocks = ReadonlyMap<number, ReadonlyMap<number, RecentText | undefined>>;

export function byBlock(texts: ChangedTexts): ChangedBlocks {
  const blocks = new Map<number, Map<number, RecentText | undefined>>();
  for (const [number, text] of texts) {
    const block = Math.floor(number / blockSize);
    const slots = blocks.get(block) ?? new Map<number, RecentText | undefined>();
    blocks.set(block, slots.set(number % blockSize, text));
  }
  return blocks;
}

/** The postings of a term with changed texts. The same array if nothing changes. */
export function withTexts(
  blocks: readonly BlockPostings[],
  term: string,
  texts: ChangedBlocks,
): readonly BlockPostings[] {
  let changed: Map<number, BlockPostings> | undefined;
  for (const [block, slots] of texts) {
    const known = blocks.find((each) => each.block === block)?.postings;
    if (!haveTerm(slots, term) && (known === undefined || !haveSlot(known, slots))) continue;
    const counts = new Map([...slots].map(([slot, text]) => [slot, text?.counts.get(term)]));
    const postings = changePostings(known, counts);
    changed ??= new Map(blocks.map((each) => [each.block, each]));
    if (postings === undefined) changed.delete(block);
    else changed.set(block, { block, postings });
  }
  return changed === undefined ? blocks : [...changed.values()].sort((one, other) => one.block - other.block);
}

function haveTerm(slots: ReadonlyMap<number, RecentText | undefined>, term: string): boolean {
  for (const text of slots.values()) if (text?.counts.has(term)) return true;
  return false;
}

function haveSlot(postings: Uint8Array, slots: ReadonlyMap<number, unknown>): boolean {
  for (const slot of slots.keys()) if (hasSlot(postings, slot)) return true;
  return false;
}
