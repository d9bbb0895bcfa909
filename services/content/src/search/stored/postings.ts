import type { FoundTexts } from '../index/found.js';
import { fields } from '../index/prepare.js';
import { NumberReader, writeNumber } from './numbers.js';

/** A text of a block that has a term. */
export interface Posting {
  /** The place of the text in its block. */
  readonly slot: number;
  /** How often each field has the term; empty for a word that only teaches compounds. */
  readonly counts: readonly number[];
}

/**
 * Writes the postings of one term in one block as bytes. First comes the number of texts that have the term in each field,
 * and then for each text the distance to the slot before, a bit for each field, and the counts of these fields.
 */
export function encodePostings(postings: readonly Posting[]): Uint8Array {
  const writer = createPostingWriter();
  for (const { slot, counts } of [...postings].sort((a, b) => a.slot - b.slot)) writer.add(slot, counts);
  return writer.bytes();
}

/** Writes postings one by one, in the order of their slots. */
export interface PostingWriter {
  add(slot: number, counts: readonly number[]): void;
  bytes(): Uint8Array;
}

export function createPostingWriter(): PostingWriter {
  const texts = fields.map(() => 0);
  const body: number[] = [];
  let last = 0;
  return {
    add(slot, counts) {
      writeNumber(body, slot - last);
      last = slot;
      let mask = 0;
      for (const [field, count] of counts.entries()) {
        if (count === 0) continue;
        mask |= 1 << field;
        texts[field] = (texts[field] ?? 0) + 1;
      }
      body.push(mask);
      for (const count of counts) if (count > 0) body.push(Math.min(count, 255));
    },
    bytes() {
      const head: number[] = [];
      for (const count of texts) writeNumber(head, count);
      return Uint8Array.from([...head, ...body]);
    },
  };
}

export function decodePostings(bytes: Uint8Array): Posting[] {
  const postings: Posting[] = [];
  const reader = new NumberReader(bytes, skipHead(bytes));
  let slot = 0;
  while (reader.at < bytes.length) {
    slot += reader.next();
    const mask = bytes[reader.at++] ?? 0;
    const counts = mask === 0 ? [] : fields.map((_, field) => ((mask >> field) & 1 ? (bytes[reader.at++] ?? 0) : 0));
    postings.push({ slot, counts });
  }
  return postings;
}

/**
 * Changes the postings of some slots, and removes those without counts. The other ones are copied as bytes, since a frequent
 * term has thousands. Returns undefined if none is left.
 */
export function changePostings(
  bytes: Uint8Array | undefined,
  slots: ReadonlyMap<number, readonly number[] | undefined>,
): Uint8Array | undefined {
  const before = bytes ?? encodePostings([]);
  const texts = new Float64Array(fields.length);
  addTextCounts(before, texts);
  const body = new Uint8Array(before.length + slots.size * (fields.length + 8));
  let end = 0;
  let last = 0;
  const begin = (slot: number): void => {
    let rest = slot - last;
    for (; rest > 0x7f; rest >>>= 7) body[end++] = (rest & 0x7f) | 0x80;
    body[end++] = rest;
    last = slot;
  };
  const waiting = [...slots].sort(([one], [other]) => one - other);
  let next = 0;
  const addBefore = (limit: number): void => {
    for (; (waiting[next]?.[0] ?? limit) < limit; next++) {
      const [slot, counts] = waiting[next] ?? [0];
      if (counts === undefined) continue;
      begin(slot);
      const place = end++;
      let mask = 0;
      for (const [field, count] of counts.entries()) {
        if (count === 0) continue;
        mask |= 1 << field;
        body[end++] = Math.min(count, 255);
        texts[field] = (texts[field] ?? 0) + 1;
      }
      body[place] = mask;
    }
  };
  const reader = new NumberReader(before, skipHead(before));
  let slot = 0;
  while (reader.at < before.length) {
    slot += reader.next();
    const start = reader.at;
    const mask = before[reader.at++] ?? 0;
    for (let rest = mask; rest > 0; rest &= rest - 1) reader.at++;
    if (slots.has(slot)) {
      for (let field = 0; field < fields.length; field++)
        if ((mask >> field) & 1) texts[field] = (texts[field] ?? 0) - 1;
      continue;
    }
    addBefore(slot);
    begin(slot);
    for (let from = start; from < reader.at; from++) body[end++] = before[from] ?? 0;
  }
  addBefore(Number.POSITIVE_INFINITY);
  if (end === 0) return undefined;
  const head: number[] = [];
  for (const count of texts) writeNumber(head, count);
  const changed = new Uint8Array(head.length + end);
  changed.set(head);
  changed.set(body.subarray(0, end), head.length);
  return changed;
}

/** Whether a text has the term. */
export function hasSlot(bytes: Uint8Array, wanted: number): boolean {
  const reader = new NumberReader(bytes, skipHead(bytes));
  let slot = 0;
  while (reader.at < bytes.length && slot <= wanted) {
    slot += reader.next();
    if (slot === wanted) return true;
    for (let mask = bytes[reader.at++] ?? 0; mask !== 0; mask &= mask - 1) reader.at++;
  }
  return false;
}

/** Adds the numbers of texts that have the term in each field. */
export function addTextCounts(bytes: Uint8Array, texts: Float64Array): void {
  const reader = new NumberReader(bytes);
  for (let field = 0; field < fields.length; field++) texts[field] = (texts[field] ?? 0) + reader.next();
}

/** What the score of a term depends on. */
export interface TermScoring {
  /** The weight of the term in each field. */
  readonly weights: Float64Array;
  /** The number of different words in each field of each text. */
  readonly lengths: Uint16Array;
  /** What the length of a field adds to the divisor of BM25, for each different word of the field. */
  readonly perWord: Float64Array;
  readonly k: number;
  readonly b: number;
  readonly d: number;
}

/** Scores the texts of a block, whose first text has the number `first`, as MiniSearch does (BM25+ over fields). */
export function scorePostings(
  bytes: Uint8Array,
  first: number,
  { weights, lengths, perWord, k, b, d }: TermScoring,
  into: FoundTexts,
): void {
  const fixed = k * (1 - b);
  const width = weights.length;
  let at = skipHead(bytes);
  let text = first;
  while (at < bytes.length) {
    let byte = bytes[at++] ?? 0;
    let distance = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++] ?? 0;
      distance |= (byte & 0x7f) << shift;
    }
    text += distance;
    let score = 0;
    // Most texts have a term in one field, so only the fields that have it are looked at.
    for (let mask = bytes[at++] ?? 0; mask !== 0; mask &= mask - 1) {
      const field = 31 - Math.clz32(mask & -mask);
      const count = bytes[at++] ?? 0;
      const divisor = count + fixed + (perWord[field] ?? 0) * (lengths[text * width + field] ?? 0);
      score += (weights[field] ?? 0) * (d + (count * (k + 1)) / divisor);
    }
    into.texts[into.count] = text;
    into.scores[into.count++] = score;
  }
}

function skipHead(bytes: Uint8Array): number {
  let at = 0;
  for (let field = 0; field < fields.length; field++) {
    while ((bytes[at] ?? 0) > 0x7f) at++;
    at++;
  }
  return at;
}
