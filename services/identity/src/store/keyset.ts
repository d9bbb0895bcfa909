import type { Position } from '@knowledge/runtime';

/** The filter for what comes after a position in a list ordered by `createdAt` and an id, both falling. */
export function fallingAfter(idField: string, after: Position | undefined): object {
  if (after === undefined) return {};
  return { $or: [{ createdAt: { $lt: after.at } }, { createdAt: after.at, [idField]: { $lt: after.id } }] };
}
