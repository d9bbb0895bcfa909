import type { Site } from '@knowledge/runtime';
import { abortable, isDuplicateKey } from '@knowledge/runtime/mongodb';
import type { ReadCountDocument, SearchCountCollections } from './documents.js';

/** How often an article was read. */
export interface ArticleReads {
  readonly site: Site;
  readonly slug: string;
  readonly reads: number;
}

/** Counts reads of articles: one number for each article and day, without readers. */
export interface ReadCountStore {
  /** Adds reads. A batch that was added already changes nothing. */
  add(batch: string, reads: readonly ArticleReads[], now: Date, signal: AbortSignal): Promise<void>;
  /** The most read articles of the last 30 days; of one site, or of both. */
  most(site: Site | undefined, limit: number, now: Date, signal: AbortSignal): Promise<ArticleReads[]>;
}

/** The largest number of stored counts. Then only known ones grow, until some expire. */
const maxCounts = 200_000;
const keptMs = 30 * 24 * 3_600_000;
/** The batches that a count remembers, to recognise a repeat. */
const keptBatches = 20;

export function createReadCountStore({ reads: counts }: Pick<SearchCountCollections, 'reads'>): ReadCountStore {
  return {
    async add(batch, reads, now, signal) {
      if (reads.length === 0) return;
      const upsert = (await counts.estimatedDocumentCount(abortable(signal))) < maxCounts;
      const day = now.toISOString().slice(0, 10);
      const expireAt = new Date(now.getTime() + keptMs);
      for (const { site, slug, reads: added } of reads) {
        const filter = { _id: `${day}/${site}/${slug}`, batches: { $ne: batch } };
        const change = {
          $inc: { reads: added },
          $push: { batches: { $each: [batch], $slice: -keptBatches } },
          $setOnInsert: { site, slug, expireAt },
        };
        try {
          await counts.updateOne(filter, change, { upsert, ...abortable(signal) });
        } catch (error) {
          // The count exists and has this batch.
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },

    async most(site, limit, now, signal) {
      const kept = { expireAt: { $gt: now }, ...(site !== undefined && { site }) };
      const found = counts.aggregate<{ _id: Pick<ReadCountDocument, 'site' | 'slug'>; reads: number }>(
        [
          { $match: kept },
          { $group: { _id: { site: '$site', slug: '$slug' }, reads: { $sum: '$reads' } } },
          { $sort: { reads: -1, _id: 1 } },
          { $limit: limit },
        ],
        { signal },
      );
      return (await found.toArray()).map(({ _id, reads }) => ({ ..._id, reads }));
    },
  };
}
