import type { ListPosition } from '@knowledge/runtime';

/** The filter for the list entries after a position. The list is sorted by `field` and `_id`, newest first. */
export function fallingAfter(field: string, after: ListPosition | undefined): object {
  if (after === undefined) return {};
  return { $or: [{ [field]: { $lt: after.at } }, { [field]: after.at, _id: { $lt: after.id } }] };
}

/** The filter for the list entries after a position. The list is sorted by `field` and `_id`, oldest first. */
export function risingAfter(field: string, after: ListPosition | undefined): object {
  if (after === undefined) return {};
  return { $or: [{ [field]: { $gt: after.at } }, { [field]: after.at, _id: { $gt: after.id } }] };
}
