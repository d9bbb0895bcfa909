import { randomUUID } from 'node:crypto';
import { abortable, type TransactionScope, withTransaction } from '@knowledge/runtime/mongodb';
import { Binary, type Collection, Long, type MongoClient } from 'mongodb';
import type { TextKey } from '../index/search-text.js';
import {
  blockSize,
  bytesOf,
  expired,
  type IndexStateDocument,
  inSeconds,
  mergedId,
  olderStateId,
  onlyWords,
  postingsId,
  type StoredIndexCollections,
  type StoredTextDocument,
  shownOf,
  stateId,
  termsIndex,
  toDocument,
  toWords,
} from './documents.js';
import type { NewText, RevisionBlocks } from './new-text.js';
import { createStepStore, type StepStore } from './step-store.js';
import type { TabledText } from './text-table.js';
import type { TextWords } from './text-words.js';

/** How far the stored index has come. */
export interface IndexState {
  readonly version: number;
  /** The name of this fill of the index. */
  readonly fill: string;
  readonly position: number;
  readonly isFilled: boolean;
  readonly blocks: number;
  readonly cursor: string;
  readonly textBytes: number;
}

/** What hits show of a text. */
export type ShownText = RevisionBlocks & Pick<TextWords, 'prepared'>;

/** The texts of a term in a block. */
export interface BlockPostings {
  readonly block: number;
  readonly postings: Uint8Array;
}

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
  /** What hits show of texts, by their numbers. */
  shown(texts: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, ShownText>>;
  readonly steps: StepStore;
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

export interface NewBlock {
  readonly owner: string;
  readonly block: number;
  /** The texts by their slots. */
  readonly texts: readonly NewText[];
  readonly postings: Iterable<readonly [term: string, postings: Uint8Array]>;
}

export function createIndexStore(client: MongoClient, collections: StoredIndexCollections): IndexStore {
  const { texts, words, postings, steps, state, merged } = collections;
  const keepLease = async (owner: string, change: object, scope: TransactionScope): Promise<void> => {
    const kept = await state.updateOne({ _id: stateId, 'lease.owner': owner }, change, scope);
    if (kept.matchedCount === 0) throw new Error('Another process fills the search index.');
  };

  // A replica of an older release would write postings without the steps. It neither changes nor fills an index in this state.
  const keepOlderAway = async (empty: IndexStateDocument, scope: TransactionScope): Promise<void> => {
    const lease = { owner: 'a newer release', until: new Date('9999-01-01') };
    await state.replaceOne({ _id: olderStateId }, { ...empty, lease }, { upsert: true, ...scope });
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
    steps: createStepStore(client, collections),

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
      const numbers = found.map(({ number }) => number);
      const own = await words.find({ _id: { $in: numbers } }, { projection: onlyWords, signal }).toArray();
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

    async shown(numbers, signal) {
      const options = { projection: { german: 0 }, promoteBuffers: true, signal };
      const found = await words.find({ _id: { $in: [...numbers] } }, options).toArray();
      return new Map(found.map((each) => [each._id, { prepared: each.prepared, ...shownOf(each) }]));
    },

    async restart(before, version, signal) {
      const empty = { version, position: Long.ZERO, isFilled: false, blocks: 0, cursor: '', textBytes: Long.ZERO };
      const fresh = { ...empty, fill: randomUUID() };
      await withTransaction(
        client,
        async (scope) => {
          await keepOlderAway({ ...empty, _id: olderStateId }, scope);
          if (before === undefined) {
            await state.updateOne({ _id: stateId }, { $setOnInsert: fresh }, { upsert: true, ...scope });
            return;
          }
          const { fill, position } = before;
          const emptied = await state.replaceOne({ _id: stateId, fill, position }, fresh, scope);
          // A merge of the old steps ends here.
          if (emptied.matchedCount > 0) await merged.deleteOne({ _id: mergedId }, scope);
        },
        { signal },
      );
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
      for (const each of [postings, texts, words, steps] as unknown as Collection<{ _id: string | number }>[]) {
        for (;;) {
          const some = await each.find({}, { projection: { _id: 1 }, limit: 5000, signal }).toArray();
          if (some.length === 0) break;
          await write(owner, (scope) => each.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } }, scope), signal);
        }
      }
      const change = { $set: { position: Long.fromNumber(position), textBytes: Long.ZERO } };
      await write(
        owner,
        async (scope) => {
          await keepLease(owner, change, scope);
          const { fill } = (await state.findOne({ _id: stateId }, scope)) ?? {};
          if (fill === undefined) throw new Error('The search index has no fill.');
          const start = { fill, position: Long.fromNumber(position) };
          await merged.replaceOne({ _id: mergedId }, start, { upsert: true, ...scope });
        },
        signal,
      );
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
              part.map((text, slot) => ({ _id: first + at + slot, ...toWords(text) })),
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

/** The time for which a process may fill the index without a sign of life. */
export const leaseSeconds = 20;

function toState({ fill = '', position, textBytes, ...rest }: IndexStateDocument): IndexState {
  return { ...rest, fill, position: Number(position), textBytes: Number(textBytes) };
}

function toTabled({ _id, number, lengths, bytes, ...facts }: StoredTextDocument): TabledText {
  return { number, lengths, bytes, facts: { key: _id as TextKey, ...facts } };
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
