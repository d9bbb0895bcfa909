import { setImmediate } from 'node:timers/promises';
import type { TextKey } from '../../search/index/search-text.js';
import { similarityOf, type TextVectors } from './text-vectors.js';

/** The vectors of texts in memory, a byte for each dimension. */
export interface VectorIndex {
  /** The number of texts. */
  readonly size: number;
  readonly bytes: number;
  /** Whether a text was left out because there was no room. */
  readonly isFull: boolean;
  has(key: TextKey): boolean;
  /** Adds the vectors of a text, or replaces them. They are left out if there is no room, or if their length differs. */
  put(vectors: TextVectors): void;
  remove(key: TextKey): void;
  clear(): void;
  /** Compares a query with all texts. Returns undefined if its vector has another length than those of the texts. */
  compare(query: Float32Array): Promise<ReadonlyMap<TextKey, number> | undefined>;
}

/** Makes an empty index for at most this many bytes. */
export function createVectorIndex(maxBytes: number): VectorIndex {
  return new MemoryVectors(maxBytes);
}

/** Compares a query with vectors that are not in the index. Returns undefined if their lengths differ. */
export function compareWith(query: Float32Array, { heads, passages }: TextVectors): number | undefined {
  if ([...heads, ...passages].some(({ length }) => length !== query.length)) return undefined;
  const one = (vector: Float32Array): number => dot(query, vector, 0);
  return similarityOf(heads.map(one), passages.map(one));
}

/** What a text needs in memory beside its vectors. */
const overheadBytes = 300;
/** A scan lets other calls run after this many products, which take some milliseconds. */
const productsAtOnce = 2_000_000;

interface StoredText {
  readonly heads: number;
  readonly passages: number;
  readonly values: Int8Array;
  /** The value that 1 stands for, of each vector. */
  readonly scales: Float32Array;
}

class MemoryVectors implements VectorIndex {
  bytes = 0;
  isFull = false;
  private dimensions = 0;
  private readonly texts = new Map<TextKey, StoredText>();

  constructor(private readonly maxBytes: number) {}

  get size(): number {
    return this.texts.size;
  }

  has(key: TextKey): boolean {
    return this.texts.has(key);
  }

  put({ key, heads, passages }: TextVectors): void {
    this.remove(key);
    const vectors = [...heads, ...passages];
    const dimensions = this.texts.size === 0 ? (vectors[0]?.length ?? 0) : this.dimensions;
    if (heads.length === 0 || vectors.some(({ length }) => length !== dimensions)) return;
    const text = { heads: heads.length, passages: passages.length, ...compress(vectors, dimensions) };
    if (this.bytes + bytesOf(text) > this.maxBytes) {
      this.isFull = true;
      return;
    }
    this.dimensions = dimensions;
    this.texts.set(key, text);
    this.bytes += bytesOf(text);
  }

  remove(key: TextKey): void {
    const text = this.texts.get(key);
    if (text === undefined) return;
    this.texts.delete(key);
    this.bytes -= bytesOf(text);
  }

  clear(): void {
    this.texts.clear();
    this.bytes = 0;
    this.isFull = false;
  }

  async compare(query: Float32Array): Promise<ReadonlyMap<TextKey, number> | undefined> {
    const similarities = new Map<TextKey, number>();
    let products = 0;
    for (const [key, { heads, passages, values, scales }] of this.texts) {
      if (query.length !== this.dimensions) return undefined;
      const similarity = (_: unknown, at: number): number => dot(query, values, at * query.length) * (scales[at] ?? 0);
      const all = Array.from({ length: heads + passages }, similarity);
      similarities.set(key, similarityOf(all.slice(0, heads), all.slice(heads)));
      products += values.length;
      if (products < productsAtOnce) continue;
      products = 0;
      await setImmediate();
    }
    return similarities;
  }
}

function bytesOf({ values, scales }: StoredText): number {
  return values.byteLength + scales.byteLength + overheadBytes;
}

/** Writes each value in a byte. The error of a similarity is below 0.01, which changed no figure of `test/search`. */
function compress(vectors: readonly Float32Array[], dimensions: number): Pick<StoredText, 'values' | 'scales'> {
  const values = new Int8Array(vectors.length * dimensions);
  const scales = new Float32Array(vectors.length);
  for (const [at, vector] of vectors.entries()) {
    const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
    scales[at] = scale;
    for (const [place, value] of vector.entries()) values[at * dimensions + place] = Math.round(value / scale);
  }
  return { values, scales };
}

// Four sums at once, because each addition waits for the one before it.
function dot(query: Float32Array, values: Int8Array | Float32Array, from: number): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  const whole = query.length - (query.length % 4);
  for (let at = 0; at < whole; at += 4) {
    first += (query[at] as number) * (values[from + at] as number);
    second += (query[at + 1] as number) * (values[from + at + 1] as number);
    third += (query[at + 2] as number) * (values[from + at + 2] as number);
    fourth += (query[at + 3] as number) * (values[from + at + 3] as number);
  }
  for (let at = whole; at < query.length; at++) first += (query[at] as number) * (values[from + at] as number);
  return first + second + third + fourth;
}
