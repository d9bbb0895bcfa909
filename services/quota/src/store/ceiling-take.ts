import type { Document } from 'mongodb';
import { maxIds, recentIds } from '../domain/counter.js';
import type { CounterDocument } from './counter-document.js';
import type { Statement } from './statements.js';

/** New ids for the counter of a ceiling, which keeps a count and its recent ids. */
export interface Take {
  /** The counter with these ids alone, for the first use in its window. */
  readonly first: CounterDocument;
  /** At most `maxIds`. */
  readonly ids: readonly string[];
  /** The count may not exceed this. */
  readonly most: number;
  /** After this moment by the server's clock nothing is added. */
  readonly lastMoment: Date | undefined;
}

/**
 * Adds ids to the counter of a ceiling. It fails, and so stops an ordered command, if the counter has a newer window, not
 * enough room or one of the ids, or if it is too late. Its document would then be invalid.
 */
export function taking({ first, ids, most, lastMoment }: Take): Statement {
  const { _id, window } = first;
  const literal = { $literal: [...ids] };
  const total = { $add: [{ $max: [{ $ifNull: ['$count', 0] }, { $size: '$grants' }] }, ids.length] };
  const all = { $concatArrays: ['$grants', literal] };
  const recent = { $slice: [all, -Math.max(recentIds, ids.length)] };
  const grants = { $cond: [{ $lte: [{ $size: all }, maxIds] }, all, recent] };
  // As everywhere, the count is stored only if the ids do not say it.
  const count = { $cond: [{ $gt: [total, { $size: grants }] }, total, '$$REMOVE'] };
  const fits: Document[] = [
    { $eq: ['$window', window] },
    { $lte: [total, most] },
    { $eq: [{ $size: { $setIntersection: ['$grants', literal] } }, 0] },
  ];
  const another = { $mergeObjects: ['$$ROOT', { grants, count }] };
  // A new document has no window, which is less than any date.
  const isFirst = { $lt: ['$window', window] };
  const counted = { $cond: [isFirst, { $literal: first }, { $cond: [{ $and: fits }, another, invalid] }] };
  const inTime = lastMoment === undefined ? counted : { $cond: [{ $gt: ['$$NOW', lastMoment] }, invalid, counted] };
  return { q: { _id }, u: [{ $replaceWith: inTime }], upsert: true };
}

/** A document that the validator of the collection refuses. */
const invalid = { $mergeObjects: ['$$ROOT', { grants: null }] };
