import type { Site } from '@knowledge/runtime';
import { type CollectionDeclaration, number, text } from '@knowledge/runtime/mongodb';
import type { Collection, Db } from 'mongodb';
import { countsCollection, firstOf, writeCounts } from '../base/store-counts.js';

/** How often an article was read. */
export type CountedReads = Pick<ReadCountDocument, 'site' | 'slug' | 'reads'>;

/** Then only known articles are counted, until some expire. A count has about 200 bytes. */
const mostCounts = 200_000;
const mostBatches = 20;

/** Stores how often articles were read, without readers. */
export type ReadCountStore = ReturnType<typeof createReadCountStore>;

export function createReadCountStore(counts: Collection<ReadCountDocument>) {
  return {
    /** Adds reads of articles, in one number for each article and day. A batch that was added already changes nothing. */
    async add(batch: string, reads: readonly CountedReads[], now: Date, signal: AbortSignal) {
      const batches = firstOf('$batches', []);
      const added = { $literal: batch };
      const isNew = { $not: { $in: [added, batches] } };
      const changes = reads.map(({ site, slug, reads: number }) => ({
        _id: `${now.toISOString().slice(0, 10)}/${site}/${slug}`,
        site,
        slug: { $literal: slug },
        reads: { $add: [firstOf('$reads', 0), { $cond: [isNew, number, 0] }] },
        batches: { $cond: [isNew, { $slice: [{ $concatArrays: [batches, [added]] }, -mostBatches] }, batches] },
      }));
      await writeCounts(counts, mostCounts, changes, now, signal);
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
      return counts.aggregate<CountedReads>(stages, { signal }).toArray();
    },
  };
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

export function readCountCollection(db: Db): Collection<ReadCountDocument> {
  return db.collection('read_counts');
}

/** The collection of counted reads. No document has a reader. */
export const readCountsSchema: readonly CollectionDeclaration[] = [
  countsCollection('read_counts', {
    site: text,
    slug: text,
    reads: number,
    batches: { bsonType: 'array', maxItems: mostBatches, items: text },
  }),
];
