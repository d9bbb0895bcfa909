import { serialize } from 'node:v8';
import { KnowledgeError } from '../errors/knowledge-error.js';
import { decodePageToken, encodePageToken, type PageScope } from './page-token.js';

/** The position of an item in a list that is sorted by time and then id. The next list page begins after it. */
export interface ListPosition {
  readonly at: Date;
  readonly id: string;
}

export interface ListPageQuery {
  readonly size: number;
  readonly after: ListPosition | undefined;
}

/** A part of a list. `next` is the position where the next part begins, if there is one. */
export interface ListPage<Item, Position = ListPosition> {
  readonly items: readonly Item[];
  readonly next: Position | undefined;
}

/**
 * Reads `page_size` and `page_token` of a list sorted by time and then id.
 *
 * @throws KnowledgeError `validation_error` for a wrong size, or a token that this list did not give.
 */
export function readPageQuery(
  { pageSize, pageToken }: { pageSize: number; pageToken: string },
  scope: PageScope = [],
): ListPageQuery {
  const size = readPageSize(pageSize);
  const key = decodePageToken(pageToken, scope, ['number', 'string']);
  return { size, after: key && { at: readPageTime(key[0]), id: key[1] } };
}

/**
 * The size of a page: from 1 to `most`; 0 means the usual one.
 *
 * @throws KnowledgeError `validation_error` outside of it.
 */
export function readPageSize(pageSize: number, { usual, most } = { usual: 50, most: 200 }): number {
  if (pageSize === 0) return usual;
  if (Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= most) return pageSize;
  throw new KnowledgeError('validation_error', `page_size must be 1 to ${most}.`);
}

/** @throws KnowledgeError `validation_error` for a number that is no time. */
export function readPageTime(ms: number): Date {
  const time = new Date(ms);
  if (Number.isNaN(time.getTime()))
    throw new KnowledgeError('validation_error', 'page_token has no valid time; begin again without one.');
  return time;
}

/** The token of a position; empty at the end of the list. */
export function pageToken(next: ListPosition | undefined, scope: PageScope = []): string {
  return next === undefined ? '' : encodePageToken(scope, [next.at.getTime(), next.id]);
}

/**
 * A page ends at this size, as V8 stores it. Its strings take at least half of what gRPC sends, and gRPC carries 4 MiB.
 */
const maxPageBytes = 1.5 * 1024 * 1024;

/**
 * Makes a list page from up to `size` + 1 items. The extra item shows that there is a next list page. Long items make
 * the page shorter.
 */
export function toListPage<Item, Position = ListPosition>(
  found: readonly Item[],
  size: number,
  positionOf: (last: Item, count: number) => Position,
): ListPage<Item, Position> {
  let bytes = 0;
  const tooMuch = found.findIndex((item) => {
    bytes += serialize(item).byteLength;
    return bytes > maxPageBytes;
  });
  const items = found.slice(0, tooMuch < 0 ? size : Math.min(size, Math.max(1, tooMuch)));
  const last = items.at(-1);
  const next = found.length > items.length && last !== undefined ? positionOf(last, items.length) : undefined;
  return { items, next };
}
