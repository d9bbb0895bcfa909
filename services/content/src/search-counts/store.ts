import { createHmac, randomBytes } from 'node:crypto';
import { type CollectionDeclaration, listOf, number, text } from '@knowledge/runtime/mongodb';
import { Binary, type Db } from 'mongodb';
import { countsCollection, firstOf, writeCounts } from '../base/store-counts.js';
import { type CountedSearch, leastShownReaders, readerNumber, type WeekCount } from './domain.js';

/** Then only known words are counted, until some expire. A count has about 200 bytes. */
const most = { counts: 200_000, shown: 20_000 } as const;
const weekMs = 7 * 24 * 3_600_000;

/** Stores what was searched, without readers. */
export type SearchCountStore = ReturnType<typeof createSearchCountStore>;

export function createSearchCountStore(
  { counts, salts }: SearchCountCollections,
  { maxCounts }: { readonly maxCounts: number } = { maxCounts: most.counts },
) {
  let known: { readonly week: number; readonly salt: Uint8Array } | undefined;

  /** The salt of the week, which is the same in all replicas. The first call of a week makes it. */
  const saltOf = async (now: Date, signal: AbortSignal) => {
    const week = Math.floor(now.getTime() / weekMs);
    if (known?.week === week) return known.salt;
    const made = { salt: new Binary(randomBytes(32)), expireAt: new Date((week + 1) * weekMs) };
    const options = { upsert: true, returnDocument: 'after', signal } as const;
    const found = await salts.findOneAndUpdate({ _id: String(week) }, { $setOnInsert: made }, options);
    if (found === null) throw new Error('An upsert gave nothing back.');
    known = { week, salt: found.salt.buffer };
    return known.salt;
  };

  return {
    /** Counts searches. A repeat changes nothing, since the number of a reader is there already. */
    async count(searches: readonly CountedSearch[], now: Date, signal: AbortSignal) {
      const salt = await saltOf(now, signal);
      const changes = searches.map(({ words, reader, event }) => {
        // It depends on the words, so no reader is seen across words.
        const number = readerNumber(keyed(salt, `reader\0${words}\0${reader}`)[0]);
        const add = (field: string, isCounted: boolean) => ({
          $setUnion: [firstOf(field, []), isCounted ? [number] : []],
        });
        const searched = add('$searched', true);
        const isShown = { $gte: [{ $size: searched }, leastShownReaders] };
        return {
          _id: keyed(salt, `words\0${words}`).toString('base64url'),
          searched,
          missed: add('$missed', event === 'not_found'),
          read: add('$read', event === 'read'),
          words: { $cond: [isShown, { $literal: words }, '$$REMOVE'] },
        };
      });
      await writeCounts(counts, maxCounts, changes, now, signal);
    },

    /** Lists the counts with readable words. */
    shown(now: Date, signal: AbortSignal) {
      const filter = { words: { $exists: true }, expireAt: { $gt: now } };
      const options = { hint: shownIndex, limit: most.shown, sort: { expireAt: -1 }, signal } as const;
      return counts.find<WeekCount>(filter, options).toArray();
    },
  };
}

function keyed(salt: Uint8Array, text: string) {
  return createHmac('sha256', salt).update(text).digest().subarray(0, 16);
}

/** A document in `search_counts`: the readers of one search in one week. */
interface SearchCountDocument extends Omit<WeekCount, 'words'> {
  /** A hash of the words with the salt of the week. It says nothing once the salt is deleted. */
  readonly _id: string;
  /** The words. They are stored only once five different readers have searched for them. */
  readonly words?: string;
  readonly expireAt: Date;
}

/** The typed collections of a database. */
type SearchCountCollections = ReturnType<typeof searchCountCollections>;

export function searchCountCollections(db: Db) {
  return {
    counts: db.collection<SearchCountDocument>('search_counts'),
    /** Under the number of a week its salt, which is deleted when the week ends. */
    salts: db.collection<{ readonly _id: string; readonly salt: Binary; readonly expireAt: Date }>('search_salts'),
  };
}

/** The index of the counts whose words are readable. */
const shownIndex = 'shown';

const readers = { ...listOf(number), maxItems: 64 };

/** The collections of counted searches. No document has a reader. */
export const searchCountsSchema: readonly CollectionDeclaration[] = [
  countsCollection(
    'search_counts',
    { words: text, searched: readers, missed: readers, read: readers },
    ['words', 'missed', 'read'],
    {
      name: shownIndex,
      key: { expireAt: -1 },
      partialFilterExpression: { words: { $exists: true } },
    },
  ),
  countsCollection('search_salts', { salt: { bsonType: 'binData' } }),
];
