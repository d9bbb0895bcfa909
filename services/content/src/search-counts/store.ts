import { createHmac, randomBytes } from 'node:crypto';
import type { Site } from '@knowledge/runtime';
import { abortable, type CollectionDeclaration, type IndexDeclaration } from '@knowledge/runtime/mongodb';
import { Binary, type Collection, type Db, type Filter } from 'mongodb';
import { objectOf } from '../store/schema.js';
import { type CountedSearch, leastShownReaders, readerNumber, type WeekCount } from './domain.js';

/** How often an article was read. */
export type ArticleReads = Pick<ReadCountDocument, 'site' | 'slug' | 'reads'>;

/** Then only known words and articles are counted, until some expire. A count has about 200 bytes. */
const most = { counts: 200_000, shown: 20_000, batches: 20 } as const;
const dayMs = 24 * 3_600_000;
const weekMs = 7 * dayMs;
const keptMs = 30 * dayMs;

/** Stores what was searched, and how often articles were read, without readers. */
export type SearchCountStore = ReturnType<typeof createSearchCountStore>;

export function createSearchCountStore(
  { counts, salts, reads: readCounts }: SearchCountCollections,
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

    /** Adds reads of articles, in one number for each article and day. A batch that was added already changes nothing. */
    async addReads(batch: string, reads: readonly ArticleReads[], now: Date, signal: AbortSignal) {
      const batches = firstOf('$batches', []);
      const added = { $literal: batch };
      const isNew = { $not: { $in: [added, batches] } };
      const changes = reads.map(({ site, slug, reads: number }) => ({
        _id: `${now.toISOString().slice(0, 10)}/${site}/${slug}`,
        site,
        slug: { $literal: slug },
        reads: { $add: [firstOf('$reads', 0), { $cond: [isNew, number, 0] }] },
        batches: { $cond: [isNew, { $slice: [{ $concatArrays: [batches, [added]] }, -most.batches] }, batches] },
      }));
      await writeCounts(readCounts, most.counts, changes, now, signal);
    },

    /** The most read articles of the last 30 days; of one site, or of both. */
    async mostRead(site: Site | undefined, limit: number, now: Date, signal: AbortSignal) {
      const stages = [
        { $match: { expireAt: { $gt: now }, ...(site !== undefined && { site }) } },
        { $group: { _id: { site: '$site', slug: '$slug' }, reads: { $sum: '$reads' } } },
        { $sort: { reads: -1, _id: 1 } },
        { $limit: limit },
        { $replaceWith: { $mergeObjects: ['$_id', { reads: '$reads' }] } },
      ];
      return readCounts.aggregate<ArticleReads>(stages, { signal }).toArray();
    },
  };
}

/** Writes counts, which expire after 30 days. Where there are this many, it changes only those that are known. */
async function writeCounts<Count extends { readonly _id: string }>(
  collection: Collection<Count>,
  maxCounts: number,
  changes: readonly { readonly _id: string }[],
  now: Date,
  signal: AbortSignal,
) {
  if (changes.length === 0) return;
  const upsert = (await collection.estimatedDocumentCount(abortable(signal))) < maxCounts;
  const expireAt = firstOf('$expireAt', new Date(now.getTime() + keptMs));
  const operations = changes.map(({ _id, ...fields }) => {
    return { updateOne: { filter: { _id } as Filter<Count>, update: [{ $set: { ...fields, expireAt } }], upsert } };
  });
  await collection.bulkWrite(operations, { ordered: false, ...abortable(signal) });
}

function firstOf(field: string, value: unknown) {
  return { $ifNull: [field, value] };
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

/** A document in `read_counts`: the reads of one article on one day. */
interface ReadCountDocument {
  /** Day, site and slug, for example `2026-06-01/org/rolling-out-sso`. */
  readonly _id: string;
  readonly site: Site;
  readonly slug: string;
  readonly reads: number;
  /** The last batches that were added. */
  readonly batches: readonly string[];
  readonly expireAt: Date;
}

/** The typed collections of a database. */
type SearchCountCollections = ReturnType<typeof searchCountCollections>;

export function searchCountCollections(db: Db) {
  return {
    reads: db.collection<ReadCountDocument>('read_counts'),
    counts: db.collection<SearchCountDocument>('search_counts'),
    /** Under the number of a week its salt, which is deleted when the week ends. */
    salts: db.collection<{ readonly _id: string; readonly salt: Binary; readonly expireAt: Date }>('search_salts'),
  };
}

/** The index of the counts whose words are readable. */
const shownIndex = 'shown';

const text = { bsonType: 'string' };
const number = { bsonType: ['int', 'long', 'double'] };
const readers = { bsonType: 'array', maxItems: 64, items: number };

/** The collections of counted searches. No document has a reader. */
export const searchCountsSchema: readonly CollectionDeclaration[] = [
  declare(
    'search_counts',
    ['searched'],
    { words: text, searched: readers, missed: readers, read: readers },
    {
      name: shownIndex,
      key: { expireAt: -1 },
      partialFilterExpression: { words: { $exists: true } },
    },
  ),
  declare('read_counts', ['site', 'slug', 'reads', 'batches'], {
    site: text,
    slug: text,
    reads: number,
    batches: { bsonType: 'array', maxItems: 20, items: text },
  }),
  declare('search_salts', ['salt'], { salt: { bsonType: 'binData' } }),
];

function declare(
  name: string,
  required: readonly string[],
  properties: object,
  ...indexes: IndexDeclaration[]
): CollectionDeclaration {
  const all = { _id: text, ...properties, expireAt: { bsonType: 'date' } };
  return {
    name,
    validator: { $jsonSchema: { ...objectOf([...required, 'expireAt'], all), additionalProperties: false } },
    indexes: [...indexes, { name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  };
}
