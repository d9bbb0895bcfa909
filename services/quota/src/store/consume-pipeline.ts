import type { Document } from 'mongodb';
import type { Charge } from '../domain/charge.js';
import { toDocument } from './counter-document.js';

/**
 * The update that takes one unit if the limit allows it and the id has no grant (services/quota/DECISIONS.md). A newer stored
 * window decides instead. For policies that keep every id, the update is exact in parallel and safe to repeat. It must
 * be an upsert by `_id` alone, or the server would not retry when two first uses race. After `lastMoment` by the
 * server's clock it changes nothing. A first use then fails, because its document would be invalid.
 */
export function consumePipeline(charge: Charge, window: number, id: string, lastMoment?: Date): Document[] {
  const first = toDocument(charge.key, charge.policy, { window, count: 1, grants: [id] });
  // Without $literal the server could read an id as a field path (SECURITY.md#counting).
  const literal = { $literal: id };
  const nothingToDo = { $or: [{ $in: [literal, '$grants'] }, { $gte: [{ $size: '$grants' }, charge.policy.limit] }] };
  const another = { $mergeObjects: ['$$ROOT', { grants: { $concatArrays: ['$grants', [literal]] } }] };
  // A new document has no window, which is less than any date. So it takes the last branch.
  const counted = {
    $cond: [{ $gte: ['$window', first.window] }, { $cond: [nothingToDo, '$$ROOT', another] }, { $literal: first }],
  };
  if (lastMoment === undefined) return [{ $replaceWith: counted }];
  return [{ $replaceWith: { $cond: [{ $gt: ['$$NOW', lastMoment] }, '$$ROOT', counted] } }];
}
