import { later } from '@knowledge/runtime';
import {
  abortable,
  type CollectionDeclaration,
  date,
  endIndex,
  exactly,
  type IndexDeclaration,
  text,
} from '@knowledge/runtime/mongodb';
import type { Collection, Filter } from 'mongodb';

const keptMs = 30 * 24 * 3_600_000;

/** Writes counts, which expire after 30 days. Where there are this many, it changes only those that are known. */
export async function writeCounts<Count extends { readonly _id: string }>(
  collection: Collection<Count>,
  maxCounts: number,
  changes: readonly { readonly _id: string }[],
  now: Date,
  signal: AbortSignal,
) {
  if (changes.length === 0) return;
  const upsert = (await collection.estimatedDocumentCount(abortable(signal))) < maxCounts;
  const expireAt = firstOf('$expireAt', later(now, keptMs));
  const operations = changes.map(({ _id, ...fields }) => {
    return { updateOne: { filter: { _id } as Filter<Count>, update: [{ $set: { ...fields, expireAt } }], upsert } };
  });
  await collection.bulkWrite(operations, { ordered: false, ...abortable(signal) });
}

/** The value of a field, or this one where the field is new. */
export function firstOf(field: string, value: unknown) {
  return { $ifNull: [field, value] };
}

/** A collection of counts, which all expire. */
export function countsCollection(
  name: string,
  properties: object,
  optional: readonly string[] = [],
  ...indexes: IndexDeclaration[]
): CollectionDeclaration {
  return {
    name,
    validator: { $jsonSchema: exactly({ _id: text, ...properties, expireAt: date }, optional) },
    indexes: [...indexes, endIndex('expiry', 'expireAt')],
  };
}
