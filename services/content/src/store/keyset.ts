import type { Filter } from 'mongodb';

/**
 * Makes the query for the list page after a key, sorted by time descending and name ascending. It has two ranges, which
 * the server merges, so it reads only the entries of that list page.
 */
export function afterKey<Document>(
  query: Filter<Document>,
  time: keyof Document & string,
  name: keyof Document & string,
  key: { at: Date; name: string } | undefined,
): Filter<Document> {
  if (key === undefined) return query;
  const ranges = [
    { ...query, [time]: key.at, [name]: { $gt: key.name } },
    { ...query, [time]: { $lt: key.at } },
  ];
  return { $or: ranges } as Filter<Document>;
}

/**
 * Makes a list page from entries that were read with a limit of `size` + 1. `next` is set if there are
 * more entries.
 */
export function cutPage<Entry>(
  found: readonly Entry[],
  size: number,
): { entries: readonly Entry[]; last: Entry | undefined } {
  if (found.length <= size) return { entries: found, last: undefined };
  const entries = found.slice(0, size);
  return { entries, last: entries.at(-1) };
}
