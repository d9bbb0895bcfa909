import type { Filter } from 'mongodb';
import type { ListPosition } from '../paging/page.js';

/** The sort order of a list: a field with a time, then one that is unique at any time. */
export type ListOrder = Readonly<Record<string, 1 | -1>>;

/**
 * The filter of the page after a position. It consists of two ranges that the server merges, so the server reads only
 * the entries of the page.
 */
export function afterPosition<Document>(
  filter: Filter<Document>,
  order: ListOrder,
  after: ListPosition | undefined,
): Filter<Document> {
  if (after === undefined) return filter;
  const [time, id] = Object.entries(order) as [[string, 1 | -1], [string, 1 | -1]];
  const ranges = [{ [time[0]]: after.at, ...beyond(id, after.id) }, beyond(time, after.at)];
  return { $or: ranges.map((range) => ({ $and: [filter, range] })) } as Filter<Document>;
}

function beyond([field, direction]: [string, 1 | -1], value: Date | string): object {
  return { [field]: direction === 1 ? { $gt: value } : { $lt: value } };
}
