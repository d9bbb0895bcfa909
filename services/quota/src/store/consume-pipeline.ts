import type { Document } from 'mongodb';
import type { Charge } from '../domain/charge.js';
import { toDocument } from './tally-document.js';

/**
 * The update that takes one unit if there is room and the id holds none yet, decided by the stored window if that is newer
 * (ARCHITECTURE.md#quota). Exact under any parallelism and safe to repeat; for policies that keep every id. It must be
 * an upsert that filters by `_id` alone, for only then does the server retry the race of two first uses.
 * Reached after the last moment, by the server's clock, it changes nothing; a first use then fails, for the document that it
 * would leave is not valid.
 */
export function consumePipeline(charge: Charge, window: number, id: string, lastMoment?: Date): Document[] {
  const first = toDocument(charge.key, charge.policy, { window, count: 1, grants: [id] });
  // Strings in a pipeline are expressions: only $literal keeps an id from being a field path (SECURITY.md#counting).
  const literal = { $literal: id };
  const nothingToDo = { $or: [{ $in: [literal, '$grants'] }, { $gte: [{ $size: '$grants' }, charge.policy.limit] }] };
  const another = { $mergeObjects: ['$$ROOT', { grants: { $concatArrays: ['$grants', [literal]] } }] };
  // A missing window is less than any date, so a document that the upsert begins takes the last branch.
  const counted = {
    $cond: [{ $gte: ['$window', first.window] }, { $cond: [nothingToDo, '$$ROOT', another] }, { $literal: first }],
  };
  if (lastMoment === undefined) return [{ $replaceWith: counted }];
  return [{ $replaceWith: { $cond: [{ $gt: ['$$NOW', lastMoment] }, '$$ROOT', counted] } }];
}
