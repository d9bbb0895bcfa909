import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type TransactionScope, withTransaction } from '@knowledge/runtime/mongodb';
import { type AnyBulkWriteOperation, Binary, Long, type MongoClient } from 'mongodb';
import type { TextKey } from '../index/search-text.js';
import {
  bytesOf,
  expired,
  inSeconds,
  mergedId,
  onlyWords,
  type PostingsDocument,
  type StepDocument,
  type StoredIndexCollections,
  type StoredStepText,
  type StoredTextDocument,
  type StoredWordsDocument,
  shownOf,
  stateId,
  toDocument,
  toWords,
} from './documents.js';
import type { NewText } from './new-text.js';
import { editPostings, type PostingsEdit } from './posting-edits.js';
import { changePostings, hasSlot } from './postings.js';
import type { Step, StepText } from './step.js';

/** The steps of one fill of the index. They are stored at once, and merged into the postings later, many together. */
export interface StepStore {
  /** The next steps from this position on, without gaps; empty if there is none, or if it is merged. */
  next(fill: string, from: number, signal: AbortSignal): Promise<readonly Step[]>;
  /**
   * Stores a step, with the change of the memory that the texts would need. It changes nothing and resolves to false if
   * another replica was faster.
   */
  append(fill: string, step: Step & { readonly growth: number }, signal: AbortSignal): Promise<boolean>;
  /** The fill, and the position up to which its steps are merged. */
  merged(signal: AbortSignal): Promise<{ readonly fill: string; readonly position: number } | undefined>;
  /**
   * Merges the next steps and resolves to the position up to which all are merged then. Resolves to undefined if another
   * replica does it, or if there is no step.
   */
  merge(fill: string, signal: AbortSignal): Promise<number | undefined>;
}

/** The largest number of texts and bytes that are read or merged together. */
const most = { texts: 512, bytes: 8_000_000 };
/** The largest number of postings that one transaction changes, so that it is short. */
const chunkSize = 400;
/** The time for which a process may merge without a sign of life. */
const leaseSeconds = 5;

export function createStepStore(client: MongoClient, collections: StoredIndexCollections): StepStore {
  const { texts, words, postings, steps, state, merged } = collections;

  const next: StepStore['next'] = async (fill, from, signal) => {
    const range = { _id: { $gte: stepId(fill, from), $lt: `${fill}~` } };
    const found: Step[] = [];
    let end = from;
    let left: { texts: number; bytes: number } = { ...most };
    for await (const each of steps.find(range, { signal, sort: { _id: 1 }, batchSize: 100 })) {
      const step = toStep(each);
      if (step.from !== end || left.texts <= 0 || left.bytes <= 0) break;
      found.push(step);
      end = step.to;
      left = { texts: left.texts - step.texts.length, bytes: left.bytes - bytesOfStep(step) };
    }
    return found;
  };

  return {
    next,

    append(fill, { from, to, texts: changed, growth }, signal) {
      const step = { from: Long.fromNumber(from), to: Long.fromNumber(to), texts: changed.map(toStored) };
      return withTransaction(
        client,
        async (scope) => {
          const moved = await state.updateOne(
            { _id: stateId, fill, position: from, isFilled: true },
            { $set: { position: Long.fromNumber(to) }, $inc: { textBytes: Long.fromNumber(growth) } },
            scope,
          );
          if (moved.matchedCount === 0) return false;
          await steps.insertOne({ _id: stepId(fill, from), ...step }, scope);
          return true;
        },
        { signal },
      );
    },

    async merged(signal) {
      const found = await merged.findOne({ _id: mergedId }, { signal });
      return found === null ? undefined : { fill: found.fill, position: Number(found.position) };
    },

    async merge(fill, signal) {
      // Each merge has a name, so that nothing of one that was given up comes after the next one.
      const owner = randomUUID();
      const until = inSeconds(leaseSeconds);
      const taken = await withTransaction(
        client,
        (scope) =>
          merged.findOneAndUpdate(
            { _id: mergedId, fill, $or: [{ lease: { $exists: false } }, { $expr: expired }] },
            [{ $set: { lease: { owner, until } } }],
            { returnDocument: 'after', ...scope },
          ),
        { signal },
      );
      if (taken === null) return undefined;
      const from = Number(taken.position);
      // Nobody writes postings after another replica has taken the lease.
      const write = (change: object, run: (scope: TransactionScope) => Promise<unknown>): Promise<boolean> =>
        withTransaction(
          client,
          async (scope) => {
            const mine = { _id: mergedId, fill, 'lease.owner': owner, position: Long.fromNumber(from) } as const;
            const kept = await merged.updateOne(mine, change, scope);
            if (kept.matchedCount > 0) await run(scope);
            return kept.matchedCount > 0;
          },
          { signal },
        );

      const taking = await next(fill, from, signal);
      const to = taking.at(-1)?.to;
      if (to === undefined) {
        await write({ $unset: { lease: 1 } }, () => Promise.resolve());
        return undefined;
      }
      const numbers = [...new Set(taking.flatMap((step) => step.texts.map(({ number }) => number)))];
      const before = await words.find({ _id: { $in: numbers } }, { projection: onlyWords, signal }).toArray();
      const edits = [...editPostings(taking, new Map(before.map((each) => [each._id, each])))];
      for (let at = 0; at < edits.length; at += chunkSize) {
        const part = new Map(edits.slice(at, at + chunkSize));
        const isMine = await write([{ $set: { 'lease.until': until } }], async (scope) => {
          const found = await postings
            .find({ _id: { $in: [...part.keys()] } }, { batchSize: 100_000, promoteBuffers: true, ...scope })
            .toArray();
          const writes = writesOf(part, new Map(found.map((each) => [each._id, bytesOf(each)])));
          if (writes.length > 0) await postings.bulkWrite(writes, { ...scope, ordered: false });
        });
        if (!isMine) return undefined;
        // Lets searches run.
        await setImmediate();
      }
      const changes = finalWrites(taking);
      const done = { $set: { position: Long.fromNumber(to) }, $unset: { lease: 1 } };
      const isDone = await write(done, async (scope) => {
        await texts.bulkWrite(changes.texts, { ...scope, ordered: false });
        await words.bulkWrite(changes.words, { ...scope, ordered: false });
        await steps.deleteMany({ _id: { $gte: stepId(fill, from), $lt: stepId(fill, to) } }, scope);
      });
      return isDone ? to : undefined;
    },
  };
}

function writesOf(
  edits: ReadonlyMap<string, PostingsEdit>,
  known: ReadonlyMap<string, Uint8Array>,
): AnyBulkWriteOperation<PostingsDocument>[] {
  return [...edits].flatMap(([_id, { term, block, slots }]): AnyBulkWriteOperation<PostingsDocument>[] => {
    const before = known.get(_id);
    const isGone = [...slots].every(([slot, counts]) => counts === undefined && !(before && hasSlot(before, slot)));
    if (isGone) return [];
    const changed = changePostings(before, slots);
    if (changed === undefined) return [{ deleteOne: { filter: { _id } } }];
    const replacement = { term, block, postings: new Binary(changed) };
    return [{ replaceOne: { filter: { _id }, replacement, upsert: true } }];
  });
}

/** Writes the texts as they are after all of these steps. */
function finalWrites(taking: readonly Step[]) {
  const all = taking.flatMap((step) => step.texts);
  const texts = new Map<TextKey, AnyBulkWriteOperation<StoredTextDocument>>();
  const words = new Map<number, AnyBulkWriteOperation<StoredWordsDocument>>();
  for (const { key, number, after } of all) {
    const [byKey, byNumber] = [{ _id: key }, { _id: number }];
    if (after === undefined) {
      texts.set(key, { deleteOne: { filter: byKey } });
      words.set(number, { deleteOne: { filter: byNumber } });
      continue;
    }
    const { _id: _, ...facts } = toDocument(after, number);
    texts.set(key, { replaceOne: { filter: byKey, replacement: facts, upsert: true } });
    words.set(number, { replaceOne: { filter: byNumber, replacement: toWords(after), upsert: true } });
  }
  return { texts: [...texts.values()], words: [...words.values()] };
}

function toStored({ key, number, after }: StepText): StoredStepText {
  if (after === undefined) return { key, number };
  const { key: _, ...facts } = after.facts;
  return { key, number, bytes: after.bytes, facts, words: toWords(after) };
}

function toStep({ from, to, texts }: StepDocument): Step {
  return {
    from: Number(from),
    to: Number(to),
    texts: texts.map(({ key, number, bytes = 0, facts, words }) => {
      const textKey = key as TextKey;
      if (facts === undefined || words === undefined) return { key: textKey, number, after: undefined };
      const { prepared, german } = words;
      const after = { facts: { key: textKey, ...facts }, words: { prepared, german }, shown: shownOf(words), bytes };
      return { key: textKey, number, after };
    }),
  };
}

function bytesOfStep({ texts }: Step): number {
  return texts.reduce((sum, { after }) => sum + (after === undefined ? 100 : bytesOfText(after)), 0);
}

function bytesOfText({ words, shown }: NewText): number {
  const texts = [words.prepared, words.german, ...shown.blocks];
  return texts.reduce((sum, { length }) => sum + length, shown.places.length);
}

/** Steps in the order of their positions. */
function stepId(fill: string, from: number): string {
  return `${fill}/${from.toString(16).padStart(14, '0')}`;
}
