import { hash } from 'node:crypto';
import { serialize } from 'node:v8';
import { bounds } from '../product/bounds.js';
import { refuse } from '../text/faults.js';

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
export function readPageSize(pageSize: number, { usual, most } = usualSizes): number {
  if (pageSize === 0) return usual;
  if (Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= most) return pageSize;
  refuse(`page_size must be 1 to ${most}`);
}

const usualSizes: { usual: number; most: number } = { usual: bounds.pageSize.default, most: bounds.pageSize.max };

/** @throws KnowledgeError `validation_error` for a number that is no time. */
export function readPageTime(ms: number): Date {
  const time = new Date(ms);
  if (Number.isNaN(time.getTime())) refuseToken('has no valid time');
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

/** The sort key of the last entry on a list page. The next list page begins after it. */
type PageKey = readonly (number | string)[];

/** Identifies a list and its filters. A token is valid only for the same scope; an empty one fits any list. */
export type PageScope = readonly (number | string | null)[];

/** Makes an opaque token that contains the key and a hash of the scope. */
export function encodePageToken(scope: PageScope, key: PageKey): string {
  return Buffer.from(JSON.stringify([version, digest(scope), ...key])).toString('base64url');
}

/**
 * Reads a token; undefined for an empty token, which means the first list page. `shape` gives the type of each part of
 * the key.
 *
 * @throws KnowledgeError `validation_error` for a token that is malformed or belongs to another scope.
 */
export function decodePageToken<const Shape extends readonly ('number' | 'string')[]>(
  token: string,
  scope: PageScope,
  shape: Shape,
): KeyOf<Shape> | undefined {
  if (token === '') return undefined;
  const parts = parse(token);
  const [tokenVersion, tokenDigest, ...key] = parts ?? [];
  const fits = key.length === shape.length && key.every((part, index) => typeof part === shape[index]);
  if (tokenVersion !== version || !fits) refuseToken('is not a page token of this service');
  if (tokenDigest !== digest(scope)) refuseToken('belongs to a listing with other filters');
  return key as KeyOf<Shape>;
}

type KeyOf<Shape extends readonly ('number' | 'string')[]> = {
  -readonly [Index in keyof Shape]: Shape[Index] extends 'number' ? number : string;
};

const version = 1;
const maxLength = 1024;

function parse(token: string): unknown[] | undefined {
  if (token.length > maxLength || !/^[A-Za-z0-9_-]+$/.test(token)) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}

function digest(scope: PageScope) {
  return hash('sha256', JSON.stringify(scope), 'base64url').slice(0, 11);
}

function refuseToken(why: string) {
  refuse(`page_token ${why}; begin again without one`);
}

/**
 * Reads `id_prefix`, the first characters of a UUID; undefined if empty.
 *
 * @throws KnowledgeError `validation_error` unless the text is 4 to 36 characters of a UUID.
 */
export function readIdPrefix(prefix = ''): string | undefined {
  if (prefix === '') return undefined;
  if (/^[0-9a-f-]{4,36}$/.test(prefix)) return prefix;
  refuse('id_prefix must be 4 to 36 characters of 0-9, a-f and hyphens');
}

/** The range of an index that contains exactly the ids with this prefix. */
export function idRange(prefix: string): { $gte: string; $lt: string } {
  return { $gte: prefix, $lt: `${prefix}g` };
}
