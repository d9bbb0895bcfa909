import { abortable, type TransactionScope, withTransaction } from '@knowledge/runtime/mongodb';
import { type AnyBulkWriteOperation, Binary, type Collection, Long, type MongoClient } from 'mongodb';
import type { TextKey } from '../index/search-text.js';
import {
  type IndexStateDocument,
  type PostingsDocument,
  type StoredIndexCollections,
  type StoredTextDocument,
  type StoredWordsDocument,
  stateId,
  termsIndex,
} from './documents.js';
import { changePostings } from './postings.js';
import type { TabledText } from './text-table.js';
import { countTerms, fieldLengths, type TextWords } from './text-words.js';

/** How far the stored index has come. */
export interface IndexState {
  readonly version: number;
  readonly position: number;
  readonly isFilled: boolean;
  readonly blocks: number;
  readonly cursor: string;
  readonly textBytes: number;
}

/** A text to put into the index. */
export interface NewText {
  readonly facts: TabledText['facts'];
  readonly words: TextWords;
  readonly bytes: number;
}

/** The texts of a term in a block. */
export interface BlockPostings {
  readonly block: number;
  readonly postings: Uint8Array;
}

/** The number of texts of a block. */
export const blockSize = 2048;

/** The stored index, as documents of MongoDB. */
export interface IndexStore {
  state(signal: AbortSignal): Promise<IndexState | undefined>;
  /** All texts, in parts. */
  texts(signal: AbortSignal): AsyncIterable<readonly TabledText[]>;
  /** Those of these texts that are in the index, with their words. */
  read(keys: readonly TextKey[], signal: AbortSignal): Promise<readonly (TabledText & { readonly words: TextWords })[]>;
  /** Every term, in parts. */
  terms(signal: AbortSignal): AsyncIterable<readonly string[]>;
  /** The texts of each term, in the order of their blocks. */
  postings(terms: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, readonly BlockPostings[]>>;
  /** The prepared words of texts by their numbers. */
  prepared(texts: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, string>>;
  /**
   * Brings the index from one position of the log to another. It changes nothing and resolves to false if another replica was faster.
   */
  advance(step: Step, signal: AbortSignal): Promise<boolean>;
  /** Empties the index, if its state is still this one, so that it is filled again. */
  restart(before: IndexState | undefined, version: number, signal: AbortSignal): Promise<void>;
  /** Takes or keeps the right to fill the index, for some seconds. Resolves to undefined if another replica has it. */
  lease(owner: string, seconds: number, signal: AbortSignal): Promise<IndexState | undefined>;
  /** Removes all texts before the first block is written. `position` is where the log stands. */
  clear(owner: string, position: number, signal: AbortSignal): Promise<void>;
  /** Writes the next block. Rejects if another replica has the right to fill the index by now. */
  addBlock(block: NewBlock, signal: AbortSignal): Promise<void>;
  finish(owner: string, signal: AbortSignal): Promise<void>;
}

export interface Step {
  readonly from: number;
  readonly to: number;
  readonly texts: ReadonlyMap<TextKey, ChangedText>;
}

/** A text before and after a change; undefined where it is not published. */
export interface ChangedText {
  readonly number: number;
  /** The bytes before; undefined if it was not in the index. */
  readonly bytesBefore: number | undefined;
  readonly after: NewText | undefined;
}

export interface NewBlock {
  readonly owner: string;
  readonly block: number;
  /** The texts by their slots. */
  readonly texts: readonly NewText[];
  readonly postings: Iterable<readonly [term: string, postings: Uint8Array]>;
}

export function createIndexStore(
  client: MongoClient,
  { texts, words, postings, state }: StoredIndexCollections,
): IndexStore {
  const keepLease = async (owner: string, change: object, scope: TransactionScope): Promise<void> => {
    const kept = await state.updateOne({ _id: stateId, 'lease.owner': owner }, change, scope);
    if (kept.matchedCount === 0) throw new Error('Another process fills the search index.');
  };

  const write = (
    owner: string,
    change: (scope: TransactionScope) => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<void> =>
    withTransaction(
      client,
      async (scope) => {
        await keepLease(owner, [{ $set: { 'lease.until': inSeconds(leaseSeconds) } }], scope);
        await change(scope);
      },
      { signal },
    );

  return {
    async state(signal) {
      const found = await state.findOne({ _id: stateId }, { signal });
      return found === null ? undefined : toState(found);
    },

    async *texts(signal) {
      const cursor = texts.find({}, { signal, batchSize: 5000, sort: { _id: 1 } });
      for await (const part of parts(cursor, 1000)) yield part.map(toTabled);
    },

    async read(keys, signal) {
      const found = await texts.find({ _id: { $in: [...keys] } }, { signal }).toArray();
      const own = await words.find({ _id: { $in: found.map(({ number }) => number) } }, { signal }).toArray();
      const wordsOf = new Map(own.map((each) => [each._id, each]));
      return found.flatMap((each) => {
        const stored = wordsOf.get(each.number);
        return stored === undefined ? [] : [{ ...toTabled(each), words: stored }];
      });
    },

    async *terms(signal) {
      // The server jumps from term to term in the index, in place of reading all postings.
      const pipeline = [{ $sort: { term: 1, block: 1 } }, { $group: { _id: '$term' } }];
      const cursor = postings.aggregate<{ _id: string }>(pipeline, { hint: termsIndex, batchSize: 10_000, signal });
      for await (const part of parts(cursor, 5000)) yield part.map(({ _id }) => _id);
    },

    async postings(terms, signal) {
      const options = { hint: termsIndex, projection: { _id: 0 }, batchSize: 100_000, promoteBuffers: true, signal };
      const found = await postings.find({ term: { $in: [...terms] } }, options).toArray();
      const byTerm = new Map<string, BlockPostings[]>();
      for (const each of found) {
        const blocks = byTerm.get(each.term);
        const one = { block: each.block, postings: bytesOf(each) };
        if (blocks === undefined) byTerm.set(each.term, [one]);
        else blocks.push(one);
      }
      for (const blocks of byTerm.values()) blocks.sort((one, other) => one.block - other.block);
      return byTerm;
    },

    async prepared(numbers, signal) {
      const found = await words
        .find({ _id: { $in: [...numbers] } }, { projection: { prepared: 1 }, batchSize: 1000, signal })
        .toArray();
      return new Map(found.map(({ _id, prepared }) => [_id, prepared]));
    },

    async advance({ from, to, texts: changed }, signal) {
      // No other change can have come between these reads and the writes, or the position has moved.
      const known = [...changed.values()].flatMap(({ number, bytesBefore }) =>
        bytesBefore === undefined ? [] : [number],
      );
      const oldWords = known.length === 0 ? [] : await words.find({ _id: { $in: known } }, { signal }).toArray();
      const edits = editPostings(changed, new Map(oldWords.map((each) => [each._id, each])));
      const ids = [...edits.keys()];
      const found =
        ids.length === 0
          ? []
          : await postings.find({ _id: { $in: ids } }, { batchSize: 100_000, promoteBuffers: true, signal }).toArray();
      const writes = writesOf(edits, new Map(found.map((each) => [each._id, bytesOf(each)])));
      const growth = [...changed.values()].reduce(
        (sum, { bytesBefore = 0, after }) => sum + (after?.bytes ?? 0) - bytesBefore,
        0,
      );
      const textWrites: AnyBulkWriteOperation<StoredTextDocument>[] = [];
      const wordWrites: AnyBulkWriteOperation<StoredWordsDocument>[] = [];
      for (const [key, { number, after }] of changed) {
        if (after === undefined) {
          textWrites.push({ deleteOne: { filter: { _id: key } } });
          wordWrites.push({ deleteOne: { filter: { _id: number } } });
          continue;
        }
        const { _id: _, ...facts } = toDocument(after, number);
        const { prepared, german } = after.words;
        textWrites.push({ replaceOne: { filter: { _id: key }, replacement: facts, upsert: true } });
        wordWrites.push({ replaceOne: { filter: { _id: number }, replacement: { prepared, german }, upsert: true } });
      }
      return withTransaction(
        client,
        async (scope) => {
          const moved = await state.updateOne(
            { _id: stateId, position: from, isFilled: true },
            { $set: { position: to }, $inc: { textBytes: Long.fromNumber(growth) } },
            scope,
          );
          if (moved.matchedCount === 0) return false;
          if (writes.length > 0) await postings.bulkWrite(writes, { ...scope, ordered: false });
          if (textWrites.length > 0) await texts.bulkWrite(textWrites, scope);
          if (wordWrites.length > 0) await words.bulkWrite(wordWrites, scope);
          return true;
        },
        { signal },
      );
    },

    async restart(before, version, signal) {
      const position = before?.position ?? -1;
      const empty = { version, position: Long.fromNumber(0), isFilled: false, blocks: 0, cursor: '' };
      const fresh = { ...empty, textBytes: Long.ZERO };
      if (before === undefined) {
        await state.updateOne({ _id: stateId }, { $setOnInsert: fresh }, { upsert: true, ...abortable(signal) });
        return;
      }
      await state.replaceOne({ _id: stateId, position, version: before.version }, fresh, abortable(signal));
    },

    async lease(owner, seconds, signal) {
      const isFree = { $or: [{ lease: { $exists: false } }, { 'lease.owner': owner }, { $expr: expired }] };
      const until = { $dateAdd: { startDate: '$$NOW', unit: 'second', amount: seconds } };
      const found = await state.findOneAndUpdate(
        { _id: stateId, isFilled: false, ...isFree },
        [{ $set: { lease: { owner, until } } }],
        { returnDocument: 'after', ...abortable(signal) },
      );
      return found === null ? undefined : toState(found);
    },

    async clear(owner, position, signal) {
      for (const each of [postings, texts, words] as unknown as Collection<{ _id: string | number }>[]) {
        for (;;) {
          const some = await each.find({}, { projection: { _id: 1 }, limit: 5000, signal }).toArray();
          if (some.length === 0) break;
          await write(owner, (scope) => each.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } }, scope), signal);
        }
      }
      const change = { $set: { position: Long.fromNumber(position), textBytes: Long.ZERO } };
      await write(owner, (scope) => keepLease(owner, change, scope), signal);
    },

    async addBlock({ owner, block, texts: added, postings: byTerm }, signal) {
      // What a process that ended in this block has left.
      const leftover = { _id: { $gte: postingsId(block, ''), $lt: postingsId(block + 1, '') } };
      while ((await postings.findOne(leftover, { projection: { _id: 1 }, signal })) !== null) {
        const some = await postings.find(leftover, { projection: { _id: 1 }, limit: 5000, signal }).toArray();
        await write(owner, (scope) => postings.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } }, scope), signal);
      }
      const first = block * blockSize;
      const range = { $gte: first, $lt: first + blockSize };
      await write(
        owner,
        async (scope) => {
          await texts.deleteMany({ _id: { $in: added.map(({ facts }) => facts.key) } }, scope);
          await words.deleteMany({ _id: range }, scope);
        },
        signal,
      );
      for await (const part of parts(byTerm, 4000)) {
        const documents = part.map(([term, bytes]) => ({
          ...{ _id: postingsId(block, term), term, block },
          postings: new Binary(bytes),
        }));
        await write(owner, (scope) => postings.insertMany(documents, { ...scope, ordered: false }), signal);
      }
      const last = added.at(-1)?.facts.key ?? '';
      for (let at = 0; at < added.length; at += 512) {
        const part = added.slice(at, at + 512);
        const isLast = at + 512 >= added.length;
        await write(
          owner,
          async (scope) => {
            await texts.insertMany(
              part.map((text, slot) => toDocument(text, first + at + slot)),
              scope,
            );
            await words.insertMany(
              part.map((text, slot) => ({ _id: first + at + slot, ...text.words })),
              scope,
            );
            if (!isLast) return;
            const textBytes = Long.fromNumber(added.reduce((sum, { bytes }) => sum + bytes, 0));
            await keepLease(owner, { $set: { blocks: block + 1, cursor: last }, $inc: { textBytes } }, scope);
          },
          signal,
        );
      }
    },

    async finish(owner, signal) {
      await withTransaction(
        client,
        (scope) => keepLease(owner, { $set: { isFilled: true }, $unset: { lease: 1 } }, scope),
        { signal },
      );
    },
  };
}

/** The change of the postings of a term in a block. A slot without counts is removed. */
interface PostingsEdit {
  readonly term: string;
  readonly block: number;
  readonly slots: Map<number, readonly number[] | undefined>;
}

function editPostings(changed: Step['texts'], oldWords: ReadonlyMap<number, TextWords>): Map<string, PostingsEdit> {
  const edits = new Map<string, PostingsEdit>();
  const edit = (number: number, term: string, counts: readonly number[] | undefined): void => {
    const block = Math.floor(number / blockSize);
    const id = postingsId(block, term);
    let known = edits.get(id);
    if (known === undefined) {
      known = { term, block, slots: new Map() };
      edits.set(id, known);
    }
    known.slots.set(number % blockSize, counts);
  };
  for (const { number, after } of changed.values()) {
    const before = oldWords.get(number);
    const was = before === undefined ? new Map<string, number[]>() : countTerms(before);
    const is = after === undefined ? new Map<string, number[]>() : countTerms(after.words);
    for (const term of was.keys()) if (!is.has(term)) edit(number, term, undefined);
    for (const [term, counts] of is) if (was.get(term)?.join() !== counts.join()) edit(number, term, counts);
  }
  return edits;
}

function writesOf(
  edits: ReadonlyMap<string, PostingsEdit>,
  known: ReadonlyMap<string, Uint8Array>,
): AnyBulkWriteOperation<PostingsDocument>[] {
  return [...edits].map(([_id, { term, block, slots }]) => {
    const changed = changePostings(known.get(_id), slots);
    if (changed === undefined) return { deleteOne: { filter: { _id } } };
    return {
      replaceOne: { filter: { _id }, replacement: { term, block, postings: new Binary(changed) }, upsert: true },
    };
  });
}

/** The time for which a process may fill the index without a sign of life. */
export const leaseSeconds = 20;

const expired = { $lt: ['$lease.until', '$$NOW'] };

function inSeconds(amount: number): object {
  return { $dateAdd: { startDate: '$$NOW', unit: 'second', amount } };
}

function postingsId(block: number, term: string): string {
  return `${block.toString(16).padStart(6, '0')}/${term}`;
}

function toState({ position, textBytes, ...rest }: IndexStateDocument): IndexState {
  return { ...rest, position: Number(position), textBytes: Number(textBytes) };
}

function toTabled({ _id, number, lengths, bytes, ...facts }: StoredTextDocument): TabledText {
  return { number, lengths, bytes, facts: { key: _id as TextKey, ...facts } };
}

function toDocument({ facts, words, bytes }: NewText, number: number): StoredTextDocument {
  const { key, tags, ...rest } = facts;
  return { _id: key, number, ...rest, tags: [...tags], lengths: fieldLengths(words), bytes };
}

function bytesOf({ postings }: Pick<PostingsDocument, 'postings'>): Uint8Array {
  return postings instanceof Binary ? postings.buffer : postings;
}

async function* parts<Item>(items: AsyncIterable<Item> | Iterable<Item>, size: number): AsyncIterable<Item[]> {
  let part: Item[] = [];
  for await (const item of items) {
    part.push(item);
    if (part.length === size) {
      yield part;
      part = [];
    }
  }
  if (part.length > 0) yield part;
}
