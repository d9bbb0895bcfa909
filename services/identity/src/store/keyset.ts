import type { ListPosition } from '@knowledge/runtime';

/** The filter for the list entries after a position. The list is sorted by `createdAt` and an id, newest first. */
export function fallingAfter(idField: string, after: ListPosition | undefined): object {
  if (after === undefined) return {};
  return { $or: [{ createdAt: { $lt: after.at } }, { createdAt: after.at, [idField]: { $lt: after.id } }] };
}
