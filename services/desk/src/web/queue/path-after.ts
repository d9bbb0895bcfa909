import type { ContributionView } from '../../present/contribution.js';
import { type QueueFilter, writeFilter } from './filter.js';
import { itemPath } from './list.js';

/** The address of the item after a decided one that nobody has decided yet, or of the first of these. */
export function pathAfter(id: string, entries: readonly ContributionView[], filter: QueueFilter): string {
  const at = entries.findIndex((each) => each.id === id);
  const open = (each: ContributionView): boolean => each.held === null && each.id !== id;
  const next = entries.slice(at + 1).find(open) ?? entries.find(open);
  return next === undefined ? `/queue${writeFilter(filter)}` : itemPath(next.id, filter);
}
