import type { Db, Document } from 'mongodb';
import { maxIds, recentIds } from '../domain/counter.js';
import { writeEach } from './counter-commands.js';
import { countersName } from './counter-document.js';

/** New ids for the counter of a ceiling, which keeps a count and its recent ids. */
export interface Take {
  readonly key: string;
  readonly window: number;
  /** At most `maxIds`. */
  readonly ids: readonly string[];
  /** The count may not exceed this. */
  readonly most: number;
  /** After this moment by the server's clock nothing is added. */
  readonly lastMoment: Date | undefined;
}

/**
 * Adds ids to the counters of ceilings. A counter takes them only in this window, with enough room and none of the ids.
 * Returns whether all were added; otherwise some may have been.
 */
export async function takeEach(db: Db, takes: readonly Take[], signal: AbortSignal): Promise<boolean> {
  const updates = takes.map(({ key, window, ids, most, lastMoment }) => {
    const all = { $concatArrays: ['$grants', { $literal: [...ids] }] };
    const recent = { $slice: [all, -Math.max(recentIds, ids.length)] };
    const grants = { $cond: [{ $lte: [{ $size: all }, maxIds] }, all, recent] };
    const conditions = [
      { $lte: [totalWith(ids), most] },
      ...(lastMoment === undefined ? [] : [{ $lte: ['$$NOW', lastMoment] }]),
    ];
    return {
      q: { _id: key, window: new Date(window), grants: { $nin: ids }, $expr: { $and: conditions } },
      u: [
        { $set: { grants, count: totalWith(ids) } },
        // As everywhere, the count is stored only if the ids do not say it.
        { $set: { count: { $cond: [{ $gt: ['$count', { $size: '$grants' }] }, '$count', '$$REMOVE'] } } },
      ],
    };
  });
  const { n, failed } = await writeEach(db, { update: countersName, updates, ordered: false }, signal);
  return failed.size === 0 && n === takes.length;
}

function totalWith(ids: readonly string[]): Document {
  return { $add: [{ $max: [{ $ifNull: ['$count', 0] }, { $size: '$grants' }] }, ids.length] };
}
