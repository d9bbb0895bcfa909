import { createHmac } from 'node:crypto';
import { abortable } from '@knowledge/runtime/mongodb';
import { type AnyBulkWriteOperation, Long } from 'mongodb';
import { type CountedSearch, leastShownReaders, type WeekCount } from '../domain/search-gaps.js';
import { leastReaders, type Sketch, sketchOf } from '../domain/sketch.js';
import type { SearchCountCollections, SearchCountDocument } from './documents.js';
import { searchCountIndexes } from './schema.js';
import { createWeekSalt } from './week-salt.js';

/** Stores what was searched, without readers. */
export interface SearchCountStore {
  /** Counts searches. A repeat changes nothing, since a reader's bit is set already. */
  count(searches: readonly CountedSearch[], now: Date, signal: AbortSignal): Promise<void>;
  /** Lists the counts with readable words. */
  shown(now: Date, signal: AbortSignal): Promise<WeekCount[]>;
}

/** The largest number of stored counts; each has about 200 bytes. Then only known words are counted, until some expire. */
const maxCounts = 200_000;
/** The largest number of counts that one listing reads. */
const maxShown = 20_000;
const keptMs = 30 * 24 * 3_600_000;

/** Makes the store for these collections. */
export function createSearchCountStore(
  { counts, salts }: SearchCountCollections,
  limits = { maxCounts },
): SearchCountStore {
  const weekSalt = createWeekSalt({ salts });

  return {
    async count(searches, now, signal) {
      if (searches.length === 0) return;
      const salt = await weekSalt(now, signal);
      const upsert = (await counts.estimatedDocumentCount(abortable(signal))) < limits.maxCounts;
      const changes = merge(searches, salt);
      const expireAt = new Date(now.getTime() + keptMs);
      const operations = [...changes].map(
        ([_id, { searched, missed, read }]): AnyBulkWriteOperation<SearchCountDocument> => ({
          updateOne: {
            filter: { _id },
            update: {
              // Every field is set at an insert, because the validator requires `searched`.
              $bit: { searched: or(searched), missed: or(missed), read: or(read) },
              $setOnInsert: { expireAt },
            },
            upsert,
          },
        }),
      );
      await counts.bulkWrite(operations, { ordered: false, ...abortable(signal) });
      await show(counts, changes, signal);
    },

    async shown(now, signal) {
      const found = counts.find<StoredCount>(
        { words: { $exists: true }, expireAt: { $gt: now } },
        { hint: searchCountIndexes.shown, limit: maxShown, sort: { expireAt: -1 }, useBigInt64: true, signal },
      );
      return (await found.toArray()).map(({ words = '', searched, missed, read }) => ({
        words,
        searched: BigInt(searched),
        missed: BigInt(missed ?? 0),
        read: BigInt(read ?? 0),
      }));
    },
  };
}

/** A count as it is read with `useBigInt64`; small numbers may be stored as `int`. */
interface StoredCount extends Pick<SearchCountDocument, '_id' | 'words'> {
  readonly searched: bigint | number;
  readonly missed?: bigint | number;
  readonly read?: bigint | number;
}

interface CountChange {
  readonly words: string;
  searched: Sketch;
  missed: Sketch;
  read: Sketch;
}

/** Joins the searches for the same words. The hash of a reader depends on the words, so no reader is seen across words. */
function merge(searches: readonly CountedSearch[], salt: Buffer): Map<string, CountChange> {
  const changes = new Map<string, CountChange>();
  for (const { words, reader, event } of searches) {
    const _id = keyed(salt, `words\0${words}`).toString('base64url');
    const change = changes.get(_id) ?? { words, searched: 0n, missed: 0n, read: 0n };
    const bit = sketchOf(keyed(salt, `reader\0${words}\0${reader}`)[0] ?? 0);
    change.searched |= bit;
    if (event === 'not_found') change.missed |= bit;
    if (event === 'read') change.read |= bit;
    changes.set(_id, change);
  }
  return changes;
}

/** Stores the words of counts that have enough readers now. */
async function show(
  counts: SearchCountCollections['counts'],
  changes: ReadonlyMap<string, CountChange>,
  signal: AbortSignal,
): Promise<void> {
  const hidden = await counts
    .find<StoredCount>(
      { _id: { $in: [...changes.keys()] }, words: { $exists: false } },
      { projection: { searched: 1 }, useBigInt64: true, signal },
    )
    .toArray();
  for (const { _id, searched } of hidden) {
    const words = changes.get(_id)?.words;
    if (words === undefined || leastReaders(BigInt(searched)) < leastShownReaders) continue;
    await counts.updateOne({ _id }, { $set: { words } }, abortable(signal));
  }
}

function keyed(salt: Buffer, text: string): Buffer {
  return createHmac('sha256', salt).update(text).digest().subarray(0, 16);
}

function or(sketch: Sketch): { or: Long } {
  return { or: Long.fromBigInt(BigInt.asIntN(64, sketch)) };
}
