import { abortable } from '@knowledge/runtime/mongodb';
import { type AnyBulkWriteOperation, Binary, Long } from 'mongodb';
import { articleKey, objectKey, type TextKey } from '../../search/index/search-text.js';
import type { ChangeCompanion } from '../../store/writer.js';
import type { TextVectors } from '../domain/text-vectors.js';
import type { TextVectorCollections, TextVectorsDocument } from './documents.js';
import { textVectorIndexes } from './schema.js';

/** Vectors with the hash of the pieces that they were computed from. */
export interface NewTextVectors extends TextVectors {
  readonly hash: string;
}

/** When the vectors of a text were written, by the clock of the database. */
export interface WrittenVectors {
  readonly key: TextKey;
  readonly writtenAt: number;
}

/** Stores the vectors of texts. Reads give only those of one model. */
export interface TextVectorStore {
  read(keys: readonly TextKey[], signal: AbortSignal): Promise<TextVectors[]>;
  /** The next vectors in the order of their keys; empty at the end. */
  next(after: TextKey | undefined, signal: AbortSignal): Promise<TextVectors[]>;
  /** What was written from this time on, oldest first. */
  writtenSince(time: number, signal: AbortSignal): Promise<WrittenVectors[]>;
  /** The time of the last write; 0 if there is none. */
  lastWrite(signal: AbortSignal): Promise<number>;
  /** The hashes of those of these texts that have vectors. */
  hashes(keys: readonly TextKey[], signal: AbortSignal): Promise<ReadonlyMap<TextKey, string>>;
  /** The keys after this one, in their order, also those of other models. */
  nextKeys(after: TextKey | undefined, signal: AbortSignal): Promise<TextKey[]>;
  put(vectors: readonly NewTextVectors[], signal: AbortSignal): Promise<void>;
  remove(keys: readonly TextKey[], signal: AbortSignal): Promise<void>;
}

/** The vectors of a text may have a megabyte, and usually have 16 kB. */
const partSize = 50;
const keysAtOnce = 5000;

/** Makes the store of one model's vectors. */
export function createTextVectorStore(
  { vectors }: Pick<TextVectorCollections, 'vectors'>,
  model: string,
): TextVectorStore {
  return {
    async read(keys, signal) {
      const found = await vectors.find({ _id: { $in: [...keys] }, model }, { signal }).toArray();
      return found.map(toVectors);
    },

    async next(after, signal) {
      const options = { sort: { _id: 1 as const }, limit: partSize, hint: '_id_', signal };
      return (await vectors.find({ _id: { $gt: after ?? '' }, model }, options).toArray()).map(toVectors);
    },

    async writtenSince(time, signal) {
      const found = vectors.find(
        { writtenAt: { $gte: new Date(time) }, model },
        {
          ...{ projection: { writtenAt: 1 }, sort: { writtenAt: 1 as const }, limit: keysAtOnce },
          ...{ hint: textVectorIndexes.written, signal },
        },
      );
      return (await found.toArray()).map(({ _id, writtenAt }) => ({
        key: _id as TextKey,
        writtenAt: writtenAt.getTime(),
      }));
    },

    async lastWrite(signal) {
      const options = { projection: { writtenAt: 1 }, sort: { writtenAt: -1 as const }, limit: 1, signal };
      const [last] = await vectors.find({}, { ...options, hint: textVectorIndexes.written }).toArray();
      return last?.writtenAt.getTime() ?? 0;
    },

    async hashes(keys, signal) {
      const found = vectors.find({ _id: { $in: [...keys] }, model }, { projection: { hash: 1 }, signal });
      return new Map((await found.toArray()).map(({ _id, hash }) => [_id as TextKey, hash]));
    },

    async nextKeys(after, signal) {
      const options = { projection: { _id: 1 }, sort: { _id: 1 as const }, limit: keysAtOnce, hint: '_id_', signal };
      const found = await vectors.find({ _id: { $gt: after ?? '' } }, options).toArray();
      return found.map(({ _id }) => _id as TextKey);
    },

    async put(texts, signal) {
      if (texts.length === 0) return;
      await vectors.bulkWrite(
        texts.map((text) => replacement(text, model)),
        { ordered: false, ...abortable(signal) },
      );
    },

    async remove(keys, signal) {
      if (keys.length > 0) await vectors.deleteMany({ _id: { $in: [...keys] } }, { ...abortable(signal) });
    },
  };
}

/**
 * Makes the companion that deletes the vectors of a text in the transaction that changes or withdraws the text. It works also
 * while no endpoint is configured.
 */
export function forgetVectors({ vectors }: Pick<TextVectorCollections, 'vectors'>): ChangeCompanion {
  return async ({ subject, site, key }, { scope }) => {
    if (subject === 'article') await vectors.deleteOne({ _id: articleKey({ site, slug: key }) }, scope);
    if (subject === 'object') await vectors.deleteOne({ _id: objectKey(key) }, scope);
  };
}

function replacement(
  { key, heads, passages, position, hash }: NewTextVectors,
  model: string,
): AnyBulkWriteOperation<TextVectorsDocument> {
  const all = [...heads, ...passages];
  const dimensions = all[0]?.length ?? 0;
  const values = new Float32Array(all.length * dimensions);
  for (const [at, vector] of all.entries()) values.set(vector, at * dimensions);
  const fields = {
    ...{ model, dimensions, hash, position: Long.fromNumber(position), heads: heads.length },
    vectors: Binary.fromFloat32Array(values),
  };
  // A pipeline, since only there is the clock of the database.
  const update = [{ $replaceWith: { $mergeObjects: [{ _id: '$_id' }, { $literal: fields }, { writtenAt: '$$NOW' }] } }];
  return { updateOne: { filter: { _id: key }, update, upsert: true } };
}

function toVectors({ _id, dimensions, heads, vectors, position }: TextVectorsDocument): TextVectors {
  const values = vectors.toFloat32Array();
  const all = Array.from({ length: values.length / dimensions }, (_, at) =>
    values.subarray(at * dimensions, (at + 1) * dimensions),
  );
  return {
    key: _id as TextKey,
    heads: all.slice(0, heads),
    passages: all.slice(heads),
    position: Number(position),
  };
}
