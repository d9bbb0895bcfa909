import { KnowledgeError } from '../errors/knowledge-error.js';

/** The position of an item in a list that is sorted by time and then id. The next list page begins after it. */
export interface ListPosition {
  at: Date;
  id: string;
}

export interface ListPageQuery {
  size: number;
  after: ListPosition | undefined;
}

/** A part of a list. `next` is the position where the next part begins, if there is one. */
export interface ListPage<Item> {
  items: Item[];
  next: ListPosition | undefined;
}

/**
 * Reads `page_size` (0 means 50) and `page_token`.
 *
 * @throws KnowledgeError `validation_error` for a size outside 1 to 200, or a token that `pageToken` did not make.
 */
export function readPageQuery({ pageSize, pageToken }: { pageSize: number; pageToken: string }): ListPageQuery {
  const size = pageSize === 0 ? 50 : pageSize;
  if (size < 1 || size > 200) throw new KnowledgeError('validation_error', 'page_size must be from 1 to 200.');
  return { size, after: pageToken === '' ? undefined : readPageToken(pageToken) };
}

/** Writes a position as a token; the end of the list gives an empty token. */
export function pageToken(next: ListPosition | undefined): string {
  return next === undefined ? '' : Buffer.from(`${next.at.getTime()}~${next.id}`).toString('base64url');
}

/** Makes a list page from up to `size` + 1 items. The extra item shows that there is a next list page. */
export function toListPage<Item>(
  found: Item[],
  size: number,
  positionOf: (item: Item) => ListPosition,
): ListPage<Item> {
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, next: found.length > size && last !== undefined ? positionOf(last) : undefined };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function readPageToken(token: string): ListPosition {
  const [time = '', id = '', ...rest] = Buffer.from(token, 'base64url').toString('latin1').split('~');
  if (!/^\d{1,15}$/.test(time) || !uuid.test(id) || rest.length > 0) {
    throw new KnowledgeError('validation_error', 'page_token must be a next_page_token of this list.');
  }
  return { at: new Date(Number(time)), id };
}
