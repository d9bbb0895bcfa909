import type { Printer } from '../print/printer.js';

export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextPageToken: string;
}

export interface ListResult<Item> {
  readonly items: Item[];
  /** Whether the list has more items than the limit allows. */
  readonly cut: boolean;
}

const usualPageSize = 200;

/** Reads all pages of a list, or the first `limit` items. Prints a note if the list has more items. */
export async function readListPages<Item>(
  limit: number | undefined,
  print: Pick<Printer, 'note'>,
  read: (pageSize: number, pageToken: string) => Promise<ListPage<Item>>,
  maxPageSize = usualPageSize,
): Promise<ListResult<Item>> {
  const items: Item[] = [];
  let pageToken = '';
  do {
    const wanted = limit === undefined ? maxPageSize : Math.min(maxPageSize, limit - items.length);
    const page = await read(wanted, pageToken);
    items.push(...page.items);
    pageToken = page.nextPageToken;
  } while (pageToken !== '' && (limit === undefined || items.length < limit));
  if (pageToken !== '')
    print.note(`The first ${items.length}; there are more. Give a larger --limit, or leave it out to see all.`);
  return { items, cut: pageToken !== '' };
}
