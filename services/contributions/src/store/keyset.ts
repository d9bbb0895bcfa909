import type { Position } from '@knowledge/runtime';

/** The filter for what comes after a position in a list ordered by `field` and `_id`, both falling. */
export function fallingAfter(field: string, after: Position | undefined): object {
  if (after === undefined) return {};
  return { $or: [{ [field]: { $lt: after.at } }, { [field]: after.at, _id: { $lt: after.id } }] };
}

/** The same with both rising. */
export function risingAfter(field: string, after: Position | undefined): object {
  if (after === undefined) return {};
  return { $or: [{ [field]: { $gt: after.at } }, { [field]: after.at, _id: { $gt: after.id } }] };
}
